"""What bring-up asks and says, German and English; a test compares the keys."""

BRINGUP = {
    "en": {
        "supply": "supply: {mv} mV behind the diode",
        "answers": "I2C: {address} answers on SDA GP{sda}, SCL GP{scl}",
        "screen_is": "{name}: {kind} at {address}",
        "reader_says": "reader: answers now, version {version}",
        "reader_silent": "reader: does not answer",
        "speed": "reader at {baud} baud: {good} of {sent} echoes, {bad} faults",
        "pressed": "button {button}: good",
        "press_lost": "button {button}: no press arrived",
        "range": "tag at {mm} mm: {read} of {tried} reads",
        "flash": "flash: 4 kB in {block} ms, a record in {append} ms",
        "heap": "heap: {free} bytes free",
        "ask_window": "{name}: which number stands in this window? (empty: none)",
        "ask_whole": "{name}: is the frame whole on all four sides?",
        "ask_press": "Press {button} and let go.",
        "ask_tone": "Did you hear three rising tones?",
        "ask_card": "Hold an NTAG {mm} mm above the landing field (a pile of cards helps). There?",
        "yes": "yes",
        "no": "no",
        "verdict_good": "Everything that was tried is good.",
        "verdict_bad": "Something is wrong. It looks like this:",
        "more": "… or one of {count} more that would look the same; --json lists them.",
        "or": "or: ",
        "wire": "{one} – {other}",
        "missing": "The wire {wires} makes no contact: plug, solder joint, or another pin "
        "beside it "
        "(RSTPD_N is not RSTO).",
        "swapped": "The wires {wires} have changed places at one end.",
        "switches_i2c": "The reader's DIP switches are set to I2C: both OFF is right.",
        "switches_spi": "The reader's DIP switches are set to SPI: both OFF is right.",
        "wants_5v": "The reader answers until its field goes on, then starts anew: a clone "
        "that wants "
        "5 V, or too weak a supply. Send it back, or look at its capacitors.",
        "antenna": "The reader answers and finds no tag: broken antenna, a clone that cannot read "
        "7-byte numbers, or no NTAG. Try another tag, then send it back.",
        "absent": "{module}: nobody answers: module not plugged in, or dead.",
        "no_pull_ups": "{module}: no pull-ups on SDA and SCL: solder 4.7 kohm from each to VCC.",
        "address": "{module}: listens at 0x3D. The box has found it; nothing to do.",
        "controller": "{module}: has another controller than the listed module. The box has "
        "found it; "
        "nothing to do.",
        "false_status": "{module}: the picture is shifted by two dots: the module says that it "
        "has "
        "another controller. `schiri box set --screen sh1106` (or ssd1306), then off and on.",
        "unknown": "No single wrong wire explains this. Compare the report with the wiring, "
        "wire by "
        "wire; if all is right, our model is wrong: please send us the report.",
        "dead": "The box does not answer. Unplug it and measure 3V3 against GND: less than 100 "
        "ohm "
        "is a short, as these would make:",
        "report": "Report: {path} and {page}",
        "title": "Bring-up of box {box}",
        "firmware": "firmware",
        "revision": "revision",
        "measured": "Measured",
        "signed": "SHA-256 of the report's data",
        "sealed": "HMAC with league key {key}",
        "certify_head": "number",
        "certify_twin": "twin",
        "certify_box": "box",
    },
    "de": {
        "supply": "Strom: {mv} mV hinter der Diode",
        "answers": "I2C: {address} antwortet an SDA GP{sda}, SCL GP{scl}",
        "screen_is": "{name}: {kind} auf {address}",
        "reader_says": "Leser: antwortet jetzt, Version {version}",
        "reader_silent": "Leser: antwortet nicht",
        "speed": "Leser mit {baud} Baud: {good} von {sent} Echos, {bad} Fehler",
        "pressed": "Taste {button}: gut",
        "press_lost": "Taste {button}: kein Druck kam an",
        "range": "Tag in {mm} mm: {read} von {tried} Lesungen",
        "flash": "Flash: 4 kB in {block} ms, ein Eintrag in {append} ms",
        "heap": "Speicher: {free} Bytes frei",
        "ask_window": "{name}: Welche Zahl steht in diesem Fenster? (leer: keine)",
        "ask_whole": "{name}: Ist der Rahmen auf allen vier Seiten ganz?",
        "ask_press": "Drücke {button} und lass los.",
        "ask_tone": "Hast du drei steigende Töne gehört?",
        "ask_card": "Halte ein NTAG {mm} mm über das Kartenfeld (ein Stapel Karten hilft). Da?",
        "yes": "ja",
        "no": "nein",
        "verdict_good": "Alles, was versucht wurde, ist gut.",
        "verdict_bad": "Etwas stimmt nicht. Es sieht so aus:",
        "more": "… oder eines von {count} weiteren, die gleich aussähen; --json nennt sie.",
        "or": "oder: ",
        "wire": "{one} – {other}",
        "missing": "Die Leitung {wires} hat keinen Kontakt: Stecker, Lötstelle, oder ein Stift "
        "daneben "
        "(RSTPD_N ist nicht RSTO).",
        "swapped": "Die Leitungen {wires} sind an einem Ende vertauscht.",
        "switches_i2c": "Die DIP-Schalter des Lesers stehen auf I2C: Richtig ist beide OFF.",
        "switches_spi": "Die DIP-Schalter des Lesers stehen auf SPI: Richtig ist beide OFF.",
        "wants_5v": "Der Leser antwortet, bis sein Feld angeht, dann beginnt er von vorn: ein "
        "Nachbau, "
        "der 5 V will, oder zu schwacher Strom. Schick ihn zurück, oder sieh nach den "
        "Kondensatoren.",
        "antenna": "Der Leser antwortet und findet keinen Tag: Antenne defekt, ein Nachbau, "
        "der keine "
        "7-Byte-Nummern kann, oder kein NTAG. Versuche ein anderes, dann schick ihn zurück.",
        "absent": "{module}: Niemand antwortet: Modul nicht angesteckt oder tot.",
        "no_pull_ups": "{module}: keine Pull-ups an SDA und SCL: je 4,7 kOhm nach VCC löten.",
        "address": "{module}: hört auf 0x3D. Die Box hat es gefunden; nichts zu tun.",
        "controller": "{module}: hat einen anderen Chip als das Modul der Liste. Die Box hat es "
        "gefunden; nichts zu tun.",
        "false_status": "{module}: Das Bild ist um zwei Punkte verschoben: Das Modul gibt einen "
        "anderen Chip an. `schiri box set --screen sh1106` (oder ssd1306), dann aus und ein.",
        "unknown": "Keine einzelne falsche Leitung erklärt das. Vergleiche den Bericht mit der "
        "Verdrahtung; stimmt alles, ist unser Modell falsch: Bitte schick uns den Bericht.",
        "dead": "Die Box antwortet nicht. Zieh sie ab und miss 3V3 gegen GND: unter 100 Ohm "
        "ist ein "
        "Kurzschluss, wie ihn diese machen würden:",
        "report": "Bericht: {path} und {page}",
        "title": "Inbetriebnahme der Box {box}",
        "firmware": "Firmware",
        "revision": "Revision",
        "measured": "Gemessen",
        "signed": "SHA-256 der Daten des Berichts",
        "sealed": "HMAC mit dem Ligaschlüssel {key}",
        "certify_head": "Zahl",
        "certify_twin": "Zwilling",
        "certify_box": "Box",
    },
}
