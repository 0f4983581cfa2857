// Numbers and units as people say them: "4,5 m" is "4 Komma 5 Meter". The words are a text of the language.

const NUMBER = String.raw`([−-]?)(\d[\d.,]*\d|\d)`;

/** `words`: "decimal sign:thousands sign:point:minus" and then "unit:one:many" each, separated by semicolons. A unit
 * whose `many` ends in "…" takes its cents behind it, as money does. */
export function asSaid(text, words) {
  const [[decimal, thousands, point, minus], ...units] = words.split(";").map((row) => row.trim().split(":"));
  const known = new Map(units.map(([unit, one, many]) => [unit, [one, many]]));
  const names = units.map(([unit]) => unit).sort((one, other) => other.length - one.length)
    .map((unit) => unit.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")).join("|");
  const pattern = new RegExp(`(?<![\\p{L}\\d])${NUMBER}(?:\\s?(${names})(?![\\p{L}\\d]))?`, "gu");
  return text.replace(pattern, (all, sign, number, unit) => {
    const { whole, part } = read(number, decimal, thousands);
    const [one, many] = known.get(unit) ?? [];
    const first = `${sign && `${minus} `}${whole}`;
    if (many?.endsWith("…")) {
      return [first, many.slice(0, -1), Number(part) ? String(Number(part)) : ""].join(" ").trim();
    }
    const spoken = part ? `${first} ${point} ${[...part].join(" ")}` : first;
    if (!unit) return part || sign ? spoken : all;
    return `${spoken} ${whole === "1" && !part ? one : many}`;
  });
}

/** 281.000,50: its parts without the signs. Three digits behind the thousands sign are thousands. */
function read(number, decimal, thousands) {
  const plain = number.split(new RegExp(`\\${thousands}(?=\\d{3}(?!\\d))`)).join("");
  const at = plain.search(/[.,]/);
  const sign = plain[at] === decimal || at === plain.search(/[.,][^.,]*$/);
  if (at < 0 || !sign) return { whole: plain, part: "" };
  return { whole: plain.slice(0, at), part: plain.slice(at + 1) };
}
