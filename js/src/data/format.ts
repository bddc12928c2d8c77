// How numbers and texts of a graph are written.

const GROUPED = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });

/** Counts are grouped: "12,345". */
export function formatCount(count: number): string {
  return GROUPED.format(count);
}

/** Values: whole ones below 10,000 ungrouped, for they may be years; others with few digits that matter. */
export function formatValue(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "no value" : value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  const sign = value < 0 ? "−" : "";
  if (Number.isSafeInteger(value)) return sign + (size < 10_000 ? String(size) : formatCount(size));
  if (size >= 1e6 || size < 1e-4)
    return (
      sign +
      size
        .toExponential(2)
        .replace(/\.?0+e/, "e")
        .replace("e+", "e")
    );
  if (size >= 1000) return sign + formatCount(size);
  return sign + String(Number(size.toPrecision(digits)));
}

/** A share in per cent, a dash for none. */
export const percent = (share: number | null): string =>
  share === null || Number.isNaN(share) ? "–" : String(Math.round(100 * share));

const DAY = 86_400_000;

/** A date, and the time of the day where `timed`; one that no calendar knows is a number. */
function formatDate(days: number, timed: boolean): string {
  const date = new Date(Math.round(days * DAY));
  if (Number.isNaN(date.getTime())) return formatValue(days);
  return date
    .toISOString()
    .replace("T", " ")
    .slice(0, timed ? 16 : -14);
}

/** A value of a column as it is read; `short` where there is little room. */
export function valueText(
  column: { readonly date?: boolean; readonly whole: boolean },
  value: number,
  short = false,
): string {
  if (column.date && Number.isFinite(value)) return formatDate(value, !column.whole && !short);
  return short ? formatTick(value) : formatValue(value);
}

/** An end of a range as it is read: between two whole numbers nothing of a column of those is found. */
export function limitText(
  column: { readonly date?: boolean; readonly whole: boolean },
  value: number,
  upper: boolean,
): string {
  const whole = column.whole && !column.date;
  return valueText(column, whole ? Math[upper ? "floor" : "ceil"](value) : value, true);
}

/** A value for an axis with little room: many digits become an exponent. */
export function formatTick(value: number): string {
  const text = formatValue(value, 3);
  return text.length > 8 && Number.isFinite(value)
    ? value
        .toExponential(2)
        .replace(/\.?0+e/, "e")
        .replace("e+", "e")
        .replace("-", "−")
    : text;
}

/** "1 node", "2 nodes". */
export function plural(count: number, one: string, several = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : several}`;
}

/** One line of at most `longest` characters, without control characters or marks that turn the text around. */
export function oneLine(text: string, longest = 200): string {
  const clean = text
    .slice(0, 4 * longest)
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, " ")
    .trim();
  if (clean.length <= longest) return clean;
  // Cutting a surrogate pair in half would show a replacement mark.
  return `${Array.from(clean)
    .slice(0, longest - 1)
    .join("")}…`;
}

/** The name of a class; one without any letters to be seen is said to be so. */
export function classLabel(label: string, longest = 200): string {
  const text = oneLine(label, longest);
  return /[^\p{Z}\p{Cc}\p{Cf}]/u.test(text) ? text : "(empty)";
}

/** What went wrong, in words that can be shown. */
export const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
