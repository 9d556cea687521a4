"""Static pages of finished matches, each complete in itself.

They load nothing from elsewhere, so that an archive can be copied, mailed or opened from a disk for
years to come. Which matches are public is decided by the desk.
"""
