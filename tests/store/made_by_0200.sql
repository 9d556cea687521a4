BEGIN TRANSACTION;
CREATE TABLE addresses (
	id INTEGER NOT NULL,
	address TEXT NOT NULL,
	player_id INTEGER NOT NULL,
	state TEXT NOT NULL CONSTRAINT ck_addresses_state CHECK (state IN ('ok', 'failing', 'unconfirmed')),
	preferred BOOLEAN DEFAULT 0 NOT NULL,
	reason TEXT,
	created BIGINT NOT NULL,
	CONSTRAINT pk_addresses PRIMARY KEY (id),
	CONSTRAINT uq_addresses_address UNIQUE (address),
	CONSTRAINT fk_addresses_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL,
	PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0200');
CREATE TABLE away (
	id INTEGER NOT NULL,
	player_id INTEGER NOT NULL,
	first_day TEXT NOT NULL,
	last_day TEXT NOT NULL,
	created BIGINT NOT NULL,
	CONSTRAINT pk_away PRIMARY KEY (id),
	CONSTRAINT fk_away_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE TABLE codes (
	code TEXT NOT NULL,
	match_id INTEGER NOT NULL,
	seat TEXT NOT NULL,
	turn BIGINT NOT NULL,
	seq BIGINT NOT NULL,
	handed_on BIGINT DEFAULT '0' NOT NULL,
	created BIGINT NOT NULL,
	CONSTRAINT pk_codes PRIMARY KEY (code),
	CONSTRAINT fk_codes_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
);
CREATE TABLE counters (
	game TEXT NOT NULL,
	last BIGINT NOT NULL,
	CONSTRAINT pk_counters PRIMARY KEY (game)
);
CREATE TABLE events (
	match_id INTEGER NOT NULL,
	seq BIGINT NOT NULL,
	kind TEXT NOT NULL,
	seat TEXT,
	turn BIGINT NOT NULL,
	body TEXT NOT NULL,
	facts TEXT NOT NULL,
	hash TEXT NOT NULL,
	at BIGINT NOT NULL,
	CONSTRAINT pk_events PRIMARY KEY (match_id, seq),
	CONSTRAINT fk_events_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
);
CREATE TABLE leases (
	name TEXT NOT NULL,
	owner TEXT,
	heartbeat BIGINT,
	polled_at BIGINT,
	CONSTRAINT pk_leases PRIMARY KEY (name)
);
CREATE TABLE letters (
	id INTEGER NOT NULL,
	mailbox TEXT NOT NULL,
	folder TEXT NOT NULL,
	uidvalidity BIGINT NOT NULL,
	uid BIGINT NOT NULL,
	arrived BIGINT NOT NULL,
	size BIGINT NOT NULL,
	truncated BOOLEAN DEFAULT 0 NOT NULL,
	raw_hash TEXT NOT NULL,
	twin_hash TEXT,
	message_id TEXT,
	sender TEXT,
	state TEXT NOT NULL CONSTRAINT ck_letters_state CHECK (state IN ('kept', 'handled', 'ignored', 'repeat', 'quarantined')),
	reason TEXT,
	attempts BIGINT DEFAULT '0' NOT NULL,
	kills BIGINT DEFAULT '0' NOT NULL,
	attempting BOOLEAN DEFAULT 0 NOT NULL,
	lanes TEXT,
	claimed_by TEXT,
	filed BOOLEAN DEFAULT 0 NOT NULL,
	target TEXT,
	player_id INTEGER,
	kept_at BIGINT NOT NULL,
	handled_at BIGINT,
	raw BLOB,
	CONSTRAINT pk_letters PRIMARY KEY (id),
	CONSTRAINT uq_letters_mailbox_folder_uidvalidity_uid UNIQUE (mailbox, folder, uidvalidity, uid),
	CONSTRAINT fk_letters_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE TABLE matches (
	id INTEGER NOT NULL,
	name TEXT NOT NULL,
	game TEXT NOT NULL,
	edition BIGINT NOT NULL,
	state TEXT NOT NULL CONSTRAINT ck_matches_state CHECK (state IN ('invited', 'running', 'paused', 'over', 'abandoned')),
	options TEXT NOT NULL,
	words TEXT NOT NULL,
	board TEXT,
	seed BLOB NOT NULL,
	commitment TEXT NOT NULL,
	practice BOOLEAN DEFAULT 0 NOT NULL,
	header TEXT,
	header_hash TEXT,
	created BIGINT NOT NULL,
	started BIGINT,
	ended BIGINT,
	paused_at BIGINT,
	time_per_turn BIGINT,
	clock TEXT NOT NULL,
	seq BIGINT DEFAULT '0' NOT NULL,
	head TEXT NOT NULL,
	draws BIGINT DEFAULT '0' NOT NULL,
	turn BIGINT DEFAULT '0' NOT NULL,
	to_act TEXT,
	turn_began_seq BIGINT DEFAULT '0' NOT NULL,
	turn_began_at BIGINT,
	due BIGINT,
	agenda_at BIGINT,
	result TEXT,
	released BOOLEAN DEFAULT 0 NOT NULL,
	seating TEXT,
	CONSTRAINT pk_matches PRIMARY KEY (id),
	CONSTRAINT uq_matches_name UNIQUE (name)
);
CREATE TABLE messages (
	id INTEGER NOT NULL,
	match_id INTEGER NOT NULL,
	seat TEXT,
	player_id INTEGER,
	recipients TEXT NOT NULL,
	hash TEXT NOT NULL,
	text TEXT,
	created BIGINT NOT NULL,
	CONSTRAINT pk_messages PRIMARY KEY (id),
	CONSTRAINT fk_messages_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
	CONSTRAINT fk_messages_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE TABLE meta (
	"key" TEXT NOT NULL,
	value TEXT NOT NULL,
	CONSTRAINT pk_meta PRIMARY KEY ("key")
);
INSERT INTO "meta" VALUES('installation','made by 0200');
CREATE TABLE outbox (
	id INTEGER NOT NULL,
	recipient TEXT NOT NULL,
	player_id INTEGER,
	match_id INTEGER,
	seat TEXT,
	kind TEXT NOT NULL CONSTRAINT ck_outbox_kind CHECK (kind IN ('invitation', 'report', 'receipt', 'answer', 'notice', 'organiser')),
	turn BIGINT,
	seq BIGINT,
	code TEXT,
	message_id TEXT NOT NULL,
	envelope_from TEXT NOT NULL,
	state TEXT NOT NULL CONSTRAINT ck_outbox_state CHECK (state IN ('waiting', 'sending', 'sent', 'uncertain', 'failed', 'held', 'superseded')),
	claimed_by TEXT,
	attempts BIGINT DEFAULT '0' NOT NULL,
	next_at BIGINT NOT NULL,
	created BIGINT NOT NULL,
	sent_at BIGINT,
	answer TEXT,
	raw BLOB,
	unproved BOOLEAN DEFAULT 0 NOT NULL,
	bounced_at BIGINT,
	arrived BIGINT,
	brief TEXT,
	told_in INTEGER,
	CONSTRAINT pk_outbox PRIMARY KEY (id),
	CONSTRAINT uq_outbox_message_id UNIQUE (message_id),
	CONSTRAINT fk_outbox_player_id FOREIGN KEY(player_id) REFERENCES players (id),
	CONSTRAINT fk_outbox_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
	CONSTRAINT fk_outbox_told_in FOREIGN KEY(told_in) REFERENCES outbox (id)
);
CREATE TABLE plans (
	id INTEGER NOT NULL,
	match_id INTEGER,
	document TEXT NOT NULL,
	state TEXT NOT NULL CONSTRAINT ck_plans_state CHECK (state IN ('open', 'applied', 'dropped')),
	created BIGINT NOT NULL,
	ended_at BIGINT,
	CONSTRAINT pk_plans PRIMARY KEY (id),
	CONSTRAINT fk_plans_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
);
CREATE TABLE players (
	id INTEGER NOT NULL,
	name TEXT NOT NULL,
	language TEXT NOT NULL,
	zone TEXT NOT NULL,
	format TEXT NOT NULL CONSTRAINT ck_players_format CHECK (format IN ('html', 'text', 'phone', 'spoken')),
	digest TEXT NOT NULL CONSTRAINT ck_players_digest CHECK (digest IN ('off', 'daily')),
	digest_at TEXT NOT NULL,
	subjects TEXT NOT NULL CONSTRAINT ck_players_subjects CHECK (subjects IN ('plain', 'telling')),
	mails TEXT NOT NULL CONSTRAINT ck_players_mails CHECK (mails IN ('all', 'turns', 'few')),
	reminders TEXT,
	quiet TEXT,
	created BIGINT NOT NULL,
	blocked BOOLEAN DEFAULT 0 NOT NULL,
	no_composer BOOLEAN DEFAULT 0 NOT NULL,
	grace BIGINT DEFAULT '0' NOT NULL,
	confirms BOOLEAN DEFAULT 0 NOT NULL,
	CONSTRAINT pk_players PRIMARY KEY (id)
);
CREATE TABLE private_events (
	match_id INTEGER NOT NULL,
	seat TEXT NOT NULL,
	seq BIGINT NOT NULL,
	kind TEXT NOT NULL,
	body TEXT NOT NULL,
	hash TEXT NOT NULL,
	at BIGINT NOT NULL,
	CONSTRAINT pk_private_events PRIMARY KEY (match_id, seat, seq),
	CONSTRAINT fk_private_events_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
);
CREATE TABLE questions (
	id INTEGER NOT NULL,
	kind TEXT NOT NULL,
	code TEXT,
	address TEXT,
	player_id INTEGER,
	match_id INTEGER,
	seat TEXT,
	document TEXT NOT NULL,
	answered TEXT NOT NULL,
	state TEXT NOT NULL CONSTRAINT ck_questions_state CHECK (state IN ('waiting', 'granted', 'declined', 'dropped')),
	created BIGINT NOT NULL,
	expires BIGINT NOT NULL,
	CONSTRAINT pk_questions PRIMARY KEY (id),
	CONSTRAINT uq_questions_code UNIQUE (code),
	CONSTRAINT fk_questions_player_id FOREIGN KEY(player_id) REFERENCES players (id),
	CONSTRAINT fk_questions_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
);
CREATE TABLE seat_holders (
	match_id INTEGER NOT NULL,
	seq BIGINT NOT NULL,
	player_id INTEGER NOT NULL,
	CONSTRAINT pk_seat_holders PRIMARY KEY (match_id, seq),
	CONSTRAINT fk_seat_holders_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
	CONSTRAINT fk_seat_holders_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE TABLE seats (
	match_id INTEGER NOT NULL,
	seat TEXT NOT NULL,
	number BIGINT NOT NULL,
	holder TEXT NOT NULL CONSTRAINT ck_seats_holder CHECK (holder IN ('player', 'bot', 'nobody')),
	player_id INTEGER,
	bot TEXT,
	agreed TEXT NOT NULL CONSTRAINT ck_seats_agreed CHECK (agreed IN ('unasked', 'yes', 'no')),
	thread_id TEXT,
	reported_seq BIGINT DEFAULT '0' NOT NULL,
	reported_turn BIGINT DEFAULT '0' NOT NULL,
	bank BIGINT,
	handed_on BIGINT DEFAULT '0' NOT NULL,
	CONSTRAINT pk_seats PRIMARY KEY (match_id, seat),
	CONSTRAINT fk_seats_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
	CONSTRAINT fk_seats_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE TABLE snapshots (
	match_id INTEGER NOT NULL,
	seq BIGINT NOT NULL,
	position TEXT NOT NULL,
	CONSTRAINT pk_snapshots PRIMARY KEY (match_id),
	CONSTRAINT fk_snapshots_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
);
CREATE TABLE stand_ins (
	id INTEGER NOT NULL,
	match_id INTEGER NOT NULL,
	seat TEXT NOT NULL,
	owner_id INTEGER NOT NULL,
	player_id INTEGER,
	bot TEXT,
	begins BIGINT NOT NULL,
	ends BIGINT NOT NULL,
	details TEXT NOT NULL,
	state TEXT NOT NULL CONSTRAINT ck_stand_ins_state CHECK (state IN ('planned', 'sitting', 'over')),
	created BIGINT NOT NULL,
	CONSTRAINT pk_stand_ins PRIMARY KEY (id),
	CONSTRAINT fk_stand_ins_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
	CONSTRAINT fk_stand_ins_owner_id FOREIGN KEY(owner_id) REFERENCES players (id),
	CONSTRAINT fk_stand_ins_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE TABLE standing_orders (
	id INTEGER NOT NULL,
	match_id INTEGER NOT NULL,
	seat TEXT NOT NULL,
	kind TEXT NOT NULL CONSTRAINT ck_standing_orders_kind CHECK (kind IN ('queue', 'policy', 'rest', 'held')),
	text TEXT NOT NULL,
	state TEXT NOT NULL CONSTRAINT ck_standing_orders_state CHECK (state IN ('waiting', 'used', 'cancelled', 'void')),
	created BIGINT NOT NULL,
	ended_at BIGINT,
	number BIGINT DEFAULT '0' NOT NULL,
	handed_on BIGINT DEFAULT '0' NOT NULL,
	arrived BIGINT,
	until BIGINT,
	CONSTRAINT pk_standing_orders PRIMARY KEY (id),
	CONSTRAINT fk_standing_orders_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
);
CREATE TABLE strangers (
	address TEXT NOT NULL,
	day TEXT NOT NULL,
	count BIGINT DEFAULT '0' NOT NULL,
	answered BOOLEAN DEFAULT 0 NOT NULL,
	CONSTRAINT pk_strangers PRIMARY KEY (address, day)
);
CREATE TABLE submissions (
	id INTEGER NOT NULL,
	letter_id INTEGER NOT NULL,
	number BIGINT NOT NULL,
	match_id INTEGER,
	seat TEXT,
	code TEXT,
	turn BIGINT,
	orders TEXT NOT NULL,
	digest TEXT NOT NULL,
	outcome TEXT NOT NULL CONSTRAINT ck_submissions_outcome CHECK (outcome IN ('accepted', 'partly', 'refused', 'unclear', 'repeat', 'command', 'held', 'withdrawn')),
	first_seq BIGINT,
	last_seq BIGINT,
	receipt INTEGER,
	CONSTRAINT pk_submissions PRIMARY KEY (id),
	CONSTRAINT uq_submissions_letter_id_number UNIQUE (letter_id, number),
	CONSTRAINT fk_submissions_letter_id FOREIGN KEY(letter_id) REFERENCES letters (id),
	CONSTRAINT fk_submissions_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
	CONSTRAINT fk_submissions_receipt FOREIGN KEY(receipt) REFERENCES outbox (id)
);
CREATE TABLE turns (
	id INTEGER NOT NULL,
	match_id INTEGER NOT NULL,
	number BIGINT NOT NULL,
	seat TEXT,
	began_seq BIGINT NOT NULL,
	began_at BIGINT NOT NULL,
	credit BIGINT DEFAULT '0' NOT NULL,
	late_told_at BIGINT,
	ended_seq BIGINT,
	ended_at BIGINT,
	state TEXT NOT NULL CONSTRAINT ck_turns_state CHECK (state IN ('open', 'done', 'undone')),
	CONSTRAINT pk_turns PRIMARY KEY (id),
	CONSTRAINT fk_turns_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
);
CREATE TABLE waiting_messages (
	id INTEGER NOT NULL,
	match_id INTEGER NOT NULL,
	hash TEXT NOT NULL,
	player_id INTEGER NOT NULL,
	sender_id INTEGER NOT NULL,
	mail_id INTEGER,
	CONSTRAINT pk_waiting_messages PRIMARY KEY (id),
	CONSTRAINT fk_waiting_messages_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
	CONSTRAINT fk_waiting_messages_player_id FOREIGN KEY(player_id) REFERENCES players (id),
	CONSTRAINT fk_waiting_messages_sender_id FOREIGN KEY(sender_id) REFERENCES players (id),
	CONSTRAINT fk_waiting_messages_mail_id FOREIGN KEY(mail_id) REFERENCES outbox (id)
);
CREATE TABLE watchers (
	match_id INTEGER NOT NULL,
	player_id INTEGER NOT NULL,
	created BIGINT NOT NULL,
	reported_seq BIGINT DEFAULT '0' NOT NULL,
	reported_turn BIGINT DEFAULT '0' NOT NULL,
	CONSTRAINT pk_watchers PRIMARY KEY (match_id, player_id),
	CONSTRAINT fk_watchers_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
	CONSTRAINT fk_watchers_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE INDEX ix_matches_state_game_edition ON matches (state, game, edition);
CREATE INDEX ix_matches_agenda_at ON matches (agenda_at);
CREATE INDEX ix_matches_state_due ON matches (state, due);
CREATE INDEX ix_addresses_player_id ON addresses (player_id);
CREATE INDEX ix_away_player_id ON away (player_id);
CREATE INDEX ix_seats_player_id ON seats (player_id);
CREATE INDEX ix_private_events_match_id_seat_kind_seq ON private_events (match_id, seat, kind, seq);
CREATE INDEX ix_turns_match_id_number ON turns (match_id, number);
CREATE INDEX ix_codes_match_id_seat ON codes (match_id, seat);
CREATE INDEX ix_standing_orders_match_id_seat_id ON standing_orders (match_id, seat, id);
CREATE INDEX ix_standing_orders_until ON standing_orders (until);
CREATE INDEX ix_standing_orders_match_id_state ON standing_orders (match_id, state);
CREATE INDEX ix_messages_match_id_hash ON messages (match_id, hash);
CREATE INDEX ix_messages_match_id_seat_created ON messages (match_id, seat, created);
CREATE INDEX ix_stand_ins_match_id_state ON stand_ins (match_id, state);
CREATE INDEX ix_plans_match_id ON plans (match_id);
CREATE INDEX ix_questions_match_id_state ON questions (match_id, state);
CREATE INDEX ix_questions_player_id ON questions (player_id);
CREATE INDEX ix_questions_state_expires ON questions (state, expires);
CREATE INDEX ix_questions_address ON questions (address);
CREATE INDEX ix_letters_claimed_by ON letters (claimed_by);
CREATE INDEX ix_letters_raw_hash ON letters (raw_hash);
CREATE INDEX ix_letters_twin_hash ON letters (twin_hash);
CREATE INDEX ix_letters_message_id ON letters (message_id);
CREATE INDEX ix_letters_state_arrived ON letters (state, arrived);
CREATE INDEX ix_letters_filed_uidvalidity ON letters (filed, uidvalidity);
CREATE INDEX ix_outbox_match_id_seat_kind ON outbox (match_id, seat, kind);
CREATE INDEX ix_outbox_state_next_at ON outbox (state, next_at);
CREATE INDEX ix_outbox_recipient_state_id ON outbox (recipient, state, id);
CREATE INDEX ix_outbox_player_id_created ON outbox (player_id, created);
CREATE INDEX ix_outbox_sent_at ON outbox (sent_at);
CREATE INDEX ix_waiting_messages_player_id ON waiting_messages (player_id);
CREATE INDEX ix_waiting_messages_mail_id ON waiting_messages (mail_id);
CREATE INDEX ix_submissions_match_id_outcome ON submissions (match_id, outcome);
CREATE INDEX ix_submissions_digest ON submissions (digest);
COMMIT;
