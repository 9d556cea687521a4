"""The words that mail programs of many languages put above what they quote.

Templates hold ``{name}``, ``{address}`` and date patterns of CLDR in braces, as
``{EEE, MMM d, y}``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from random import Random
from typing import Final

from babel.dates import format_datetime

_FIELD: Final = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True)
class Tongue:
    """A language of mail programs: attributions, names of headers, and what telephones add."""

    code: str
    locale: str
    hours: int
    gmail: str
    apple: str
    thunderbird: str
    sender: str
    sent: str
    date: str
    to: str
    subject: str
    original: str
    from_phone: str
    colon: str = ":"

    def filled(self, template: str, moment: datetime, name: str = "", address: str = "") -> str:
        """Return a template with names and the local date put in."""
        local = moment.astimezone(timezone(timedelta(hours=self.hours)))
        known = {"name": name, "address": address}

        def put(found: re.Match[str]) -> str:
            word = found[1]
            if word in known:
                return known[word]
            return format_datetime(local, word, locale=self.locale)

        return _FIELD.sub(put, template)


def _tongue(code: str, locale: str, hours: int, *rest: str, colon: str = ":") -> Tongue:
    leads, labels = rest[:3], [each.strip() for each in rest[3].split("|")]
    return Tongue(code, locale, hours, *leads, *labels, rest[4], rest[5], colon=colon)


_ALL: Final = (
    _tongue(
        "en", "en_US", 0,
        "On {EEE, MMM d, y} at {h:mm a} {name} <{address}> wrote:",
        "On {d MMM y}, at {HH:mm}, {name} <{address}> wrote:",
        "On {M/d/y} {h:mm a}, {name} wrote:",
        "From|Sent|Date|To|Subject", "Original Message", "Sent from my iPhone",
    ),
    _tongue(
        "de", "de_DE", 1,
        "Am {EEE, d. MMM y} um {HH:mm} Uhr schrieb {name} <{address}>:",
        "Am {dd.MM.y} um {HH:mm} schrieb {name} <{address}>:",
        "Am {dd.MM.yy} um {HH:mm} schrieb {name}:",
        "Von|Gesendet|Datum|An|Betreff", "Ursprüngliche Nachricht", "Von meinem iPhone gesendet",
    ),
    _tongue(
        "fr", "fr_FR", 1,
        "Le {EEE d MMM y} à {HH:mm}, {name} <{address}> a écrit :",
        "Le {d MMM y} à {HH:mm}, {name} <{address}> a écrit :",
        "Le {dd/MM/y} à {HH:mm}, {name} a écrit :",
        "De|Envoyé|Date|À|Objet", "Message d'origine", "Envoyé de mon iPhone", colon="\xa0:",
    ),
    _tongue(
        "es", "es_ES", 1,
        "El {EEE, d MMM y} a las {HH:mm}, {name} (<{address}>) escribió:",
        "El {d MMM y}, a las {HH:mm}, {name} <{address}> escribió:",
        "El {d/M/yy} a las {HH:mm}, {name} escribió:",
        "De|Enviado|Fecha|Para|Asunto", "Mensaje original", "Enviado desde mi iPhone",
    ),
    _tongue(
        "it", "it_IT", 1,
        "Il giorno {EEE d MMM y} alle ore {HH:mm} {name} <{address}> ha scritto:",
        "Il giorno {d MMM y}, alle ore {HH:mm}, {name} <{address}> ha scritto:",
        "Il {dd/MM/y} {HH:mm}, {name} ha scritto:",
        "Da|Inviato|Data|A|Oggetto", "Messaggio originale", "Inviato da iPhone",
    ),
    _tongue(
        "pt", "pt_BR", -3,
        "Em {EEE, d 'de' MMM 'de' y} às {HH:mm}, {name} <{address}> escreveu:",
        "Em {d 'de' MMM 'de' y}, à(s) {HH:mm}, {name} <{address}> escreveu:",
        "Em {dd/MM/y} {HH:mm}, {name} escreveu:",
        "De|Enviada em|Data|Para|Assunto", "Mensagem original", "Enviado do meu iPhone",
    ),
    _tongue(
        "pl", "pl_PL", 1,
        "{EEE, d MMM y} o {HH:mm} {name} <{address}> napisał(a):",
        "Wiadomość napisana przez {name} <{address}> w dniu {d MMM y}, o godz. {HH:mm}:",
        "W dniu {d.MM.y} o {HH:mm}, {name} pisze:",
        "Od|Wysłano|Data|Do|Temat", "Oryginalna wiadomość", "Wysłane z iPhone'a",
    ),
    _tongue(
        "nl", "nl_NL", 1,
        "Op {EEE d MMM y} om {HH:mm} schreef {name} <{address}>:",
        "Op {d MMM y} om {HH:mm} heeft {name} <{address}> het volgende geschreven:",
        "Op {dd-MM-y} om {HH:mm} schreef {name}:",
        "Van|Verzonden|Datum|Aan|Onderwerp", "Oorspronkelijk bericht",
        "Verstuurd vanaf mijn iPhone",
    ),
    _tongue(
        "sv", "sv_SE", 1,
        "Den {EEE d MMM y} kl {HH:mm} skrev {name} <{address}>:",
        "{d MMM y} kl. {HH:mm} skrev {name} <{address}>:",
        "Den {y-MM-dd} kl. {HH:mm}, skrev {name}:",
        "Från|Skickat|Datum|Till|Ämne", "Ursprungligt meddelande", "Skickat från min iPhone",
    ),
    _tongue(
        "da", "da_DK", 1,
        "Den {EEE d. MMM y} kl. {HH.mm} skrev {name} <{address}>:",
        "Den {d. MMM y} kl. {HH.mm} skrev {name} <{address}>:",
        "Den {dd.MM.y} kl. {HH.mm} skrev {name}:",
        "Fra|Sendt|Dato|Til|Emne", "Oprindelig meddelelse", "Sendt fra min iPhone",
    ),
    _tongue(
        "no", "nb_NO", 1,
        "{EEE d. MMM y} kl. {HH:mm} skrev {name} <{address}>:",
        "{d. MMM y} kl. {HH:mm} skrev {name} <{address}>:",
        "{name} skrev den {dd.MM.y} {HH:mm}:",
        "Fra|Sendt|Dato|Til|Emne", "Opprinnelig melding", "Sendt fra min iPhone",
    ),
    _tongue(
        "fi", "fi_FI", 2,
        "{EEE d. MMM y} klo {H.mm} {name} ({address}) kirjoitti:",
        "{name} <{address}> kirjoitti {d.M.y} kello {H.mm}:",
        "{name} kirjoitti {d.M.y} klo {H.mm}:",
        "Lähettäjä|Lähetetty|Päivämäärä|Vastaanottaja|Aihe", "Alkuperäinen viesti",
        "Lähetetty iPhonesta",
    ),
    _tongue(
        "cs", "cs_CZ", 1,
        "{EEE d. M. y} v {H:mm} odesílatel {name} <{address}> napsal:",
        "{d. M. y} v {H:mm}, {name} <{address}>:",
        "Dne {dd. MM. yy} v {H:mm} {name} napsal(a):",
        "Od|Odesláno|Datum|Komu|Předmět", "Původní zpráva", "Odesláno z iPhonu",
    ),
    _tongue(
        "sk", "sk_SK", 1,
        "{EEE d. M. y} o {H:mm} {name} <{address}> napísal(a):",
        "{d. M. y} o {H:mm}, {name} <{address}>:",
        "Dňa {d. M. y} o {H:mm} {name} napísal(a):",
        "Od|Odoslané|Dátum|Komu|Predmet", "Pôvodná správa", "Odoslané z iPhonu",
    ),
    _tongue(
        "hu", "hu_HU", 1,
        "{name} <{address}> ezt írta (időpont: {y. MMM d., EEE, H:mm}):",
        "{name} <{address}> írta ({y. MMM d., H:mm}):",
        "{y. MM. dd.} {H:mm} keltezéssel, {name} írta:",
        "Feladó|Elküldve|Dátum|Címzett|Tárgy", "Eredeti üzenet", "Az iPhone-omról küldve",
    ),
    _tongue(
        "ro", "ro_RO", 2,
        "În {EEE, d MMM y} la {HH:mm}, {name} <{address}> a scris:",
        "Pe {d MMM y}, la {HH:mm}, {name} <{address}> a scris:",
        "Pe {dd.MM.y} {HH:mm}, {name} a scris:",
        "De la|Trimis|Data|Către|Subiect", "Mesaj original", "Trimis de pe iPhone-ul meu",
    ),
    _tongue(
        "bg", "bg_BG", 2,
        "На {EEE, d.MM.y 'г'.} в {H:mm} {name} <{address}> написа:",
        "На {d.MM.y 'г'.}, в {H:mm}, {name} <{address}> написа:",
        "На {d.MM.yy 'г'.} в {H:mm} ч., {name} написа:",
        "От|Изпратено|Дата|До|Тема", "Оригинално съобщение", "Изпратено от моя iPhone",
    ),
    _tongue(
        "ru", "ru_RU", 3,
        "{EEE, d MMM y 'г'.} в {HH:mm}, {name} <{address}>:",
        "{d MMM y 'г'.}, в {HH:mm}, {name} <{address}> написал(а):",
        "{dd.MM.y} {HH:mm}, {name} пишет:",
        "От|Отправлено|Дата|Кому|Тема", "Исходное сообщение", "Отправлено с iPhone",
    ),
    _tongue(
        "uk", "uk_UA", 2,
        "{EEE, d MMM y 'р'.} о {HH:mm} {name} <{address}> пише:",
        "{d MMM y 'р'.} о {HH:mm} {name} <{address}> написав(-ла):",
        "{dd.MM.yy} {HH:mm}, {name} пише:",
        "Від|Надіслано|Дата|Кому|Тема", "Вихідне повідомлення", "Надіслано з iPhone",
    ),
    _tongue(
        "el", "el_GR", 2,
        "Στις {EEE d MMM y} στις {h:mm a}, ο/η {name} <{address}> έγραψε:",
        "Στις {d MMM y}, στις {h:mm a}, ο χρήστης {name} <{address}> έγραψε:",
        "Στις {d/M/yy} {HH:mm}, ο/η {name} έγραψε:",
        "Από|Στάλθηκε|Ημερομηνία|Προς|Θέμα", "Αρχικό μήνυμα", "Στάλθηκε από το iPhone μου",
    ),
    _tongue(
        "tr", "tr_TR", 3,
        "{name} <{address}>, {d MMM y EEE, HH:mm} tarihinde şunu yazdı:",
        "{name} <{address}> şunları yazdı ({d MMM y HH:mm}):",
        "{d.MM.y} {HH:mm} tarihinde {name} yazdı:",
        "Kimden|Gönderildi|Tarih|Kime|Konu", "Özgün İleti", "iPhone'umdan gönderildi",
    ),
    _tongue(
        "ja", "ja_JP", 9,
        "{y年M月d日(EEE) H:mm} {name} <{address}>:",
        "{y/MM/dd H:mm}、{name} <{address}>のメール:",
        "{y/MM/dd H:mm}、{name} さんは書きました:",
        "差出人|送信日時|日付|宛先|件名", "元のメッセージ", "iPhoneから送信",
    ),
    _tongue(
        "ko", "ko_KR", 9,
        "{y년 M월 d일 (EEE) a h:mm}, {name} <{address}>님이 작성:",
        "{y. M. d. a h:mm}, {name} <{address}> 작성:",
        "{yy. M. d. HH:mm}에 {name} 이(가) 쓴 글:",
        "보낸 사람|보낸 날짜|날짜|받는 사람|제목", "원본 메시지", "나의 iPhone에서 보냄",
    ),
    _tongue(
        "zh-CN", "zh_CN", 8,
        "{name} <{address}> 于{y年M月d日EEE HH:mm}写道：",
        "{y年M月d日 HH:mm}，{name} <{address}> 写道：",
        "在 {y/M/d HH:mm}, {name} 写道:",
        "发件人|发送时间|日期|收件人|主题", "原始邮件", "发自我的iPhone", colon="：",
    ),
    _tongue(
        "zh-TW", "zh_Hant_TW", 8,
        "{name} <{address}> 於 {y年M月d日 EEE ah:mm}寫道：",
        "{name} <{address}> 於 {y年M月d日 ah:mm} 寫道：",
        "{name} 於 {y/M/d ah:mm} 寫道:",
        "寄件者|傳送時間|日期|收件者|主旨", "原始郵件", "從我的 iPhone 傳送", colon="：",
    ),
    _tongue(
        "ar", "ar_EG", 3,
        "\u202bفي {EEE، d MMM y} في {h:mm a} تمت كتابة ما يلي بواسطة "
        "\u202a{name}\u202c\u200f <\u202a{address}\u202c\u200f>:\u202c",
        "في {d MMM y، الساعة h:mm a}، كتب/كتبت {name} <{address}>:",
        "في {d/M/yy HH:mm}، كتب {name}:",
        "من|تاريخ الإرسال|التاريخ|إلى|الموضوع", "الرسالة الأصلية", "أرسلت من الـ iPhone",
    ),
    _tongue(
        "he", "he_IL", 2,
        "\u202bבתאריך {EEE, d בMMM y} ב-{H:mm} מאת \u202a{name}\u202c\u200f "
        "<\u202a{address}\u202c\u200f>:\u202c",
        "\u200fב-{d בMMM y, בשעה H:mm}, \u200f{name} <{address}> כתב/ה:",
        "ב־{d/M/y H:mm}, {name} כתב:",
        "מאת|נשלח|תאריך|אל|נושא", "הודעה מקורית", "נשלח מה-iPhone שלי",
    ),
    _tongue(
        "vi", "vi_VN", 7,
        "Vào {EEE, d MMM, y} vào lúc {HH:mm} {name} <{address}> đã viết:",
        "Vào {d MMM, y}, lúc {HH:mm}, {name} <{address}> đã viết:",
        "Vào {dd/MM/y HH:mm}, {name} đã viết:",
        "Từ|Đã gửi|Ngày|Tới|Chủ đề", "Thư gốc", "Đã gửi từ iPhone của tôi",
    ),
    _tongue(
        "th", "th_TH", 7,
        "ในวันที่ {EEE d MMM y} เวลา {HH:mm} น. {name} <{address}> เขียนว่า:",
        "เมื่อ {d MMM y HH:mm} น. {name} <{address}> เขียนว่า:",
        "เมื่อ {d/M/y HH:mm} {name} เขียนว่า:",
        "จาก|ส่งเมื่อ|วันที่|ถึง|เรื่อง", "ข้อความต้นฉบับ", "ส่งจาก iPhone ของฉัน",
    ),
    _tongue(
        "hr", "hr_HR", 1,
        "{EEE, d. MMM y.} u {HH:mm} {name} <{address}> napisao je:",
        "Dana {d. MMM y.} u {HH:mm}, {name} <{address}> napisao je:",
        "{name} je napisao/la {d.M.y.} u {HH:mm}:",
        "Šalje|Poslano|Datum|Prima|Predmet", "Izvorna poruka", "Poslano s mog iPhonea",
    ),
)  # fmt: skip

TONGUES: Final = {each.code: each for each in _ALL}
"""Every language there is, by its code."""


_SYLLABLES: Final = (
    "ba ko ri mel sun tar ove gli pe nak",
    "ба ко ри мел сун тар ове гли пе нак",
    "μα κο ρι σελ ταν ω",
    "가 나 다 라 마 바 사 아",
    "差 出 書 信 郵 題 時 送",
    "ที ส่ ง ถึ ง รื่ อ",
    "בא קו רי מל סן",
    "با كو ري مل سن",
)
_SPACELESS: Final = frozenset({3, 4, 5})


def invented(seed: int) -> Tongue:
    """Return a language nobody speaks, which has the shapes that all have."""
    rng = Random(seed)
    script = rng.randrange(len(_SYLLABLES))

    def word() -> str:
        parts = rng.choices(_SYLLABLES[script].split(), k=rng.randrange(1, 4))
        return "".join(parts)

    def words(most: int) -> str:
        blank = "" if script in _SPACELESS else " "
        return blank.join(word() for _ in range(rng.randint(1, most)))

    def lead() -> str:
        who = rng.choice(("{name} <{address}>", "{name} ({address})", "<{address}>"))
        dates = ("{d.M.y HH:mm}", "{y-MM-dd} {HH:mm}", "{dd/MM/y}, {HH.mm}", "{d MMMM y}")
        when = rng.choice(dates)
        pieces = rng.sample([who, when, words(2), words(2)], k=rng.choice((3, 4)))
        if who not in pieces:
            pieces[0] = who
        return rng.choice((" ", ", ", " ")).join(pieces) + rng.choice((":", ":", "：", " :"))

    labels = [words(2).capitalize() for _ in range(5)]
    colon = rng.choice((":", ":", "：", "\xa0:"))
    return Tongue(
        f"x{seed}",
        "en_US",
        0,
        lead(),
        lead(),
        lead(),
        *labels,
        words(3),
        f"{words(3)} iPhone",
        colon=colon,
    )
