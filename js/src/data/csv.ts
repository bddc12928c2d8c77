// Tables as comma-separated text.

/** A cell of a table; text that a spreadsheet would take for a formula is kept from it. */
export function csvCell(text: string): string {
  // Some spreadsheets take a semicolon for the end of a cell, quoted or not.
  const within = text.replace(/(;|(?!^)[\t\r\n])(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g, "$1'");
  const plain =
    /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) && Number.isNaN(Number(text)) ? `'${within}` : within;
  return /[",;\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** Lines of cells as one text. */
export const csvText = (lines: readonly (readonly string[])[]): string =>
  lines.map((line) => `${line.map(csvCell).join(",")}\r\n`).join("");

/** A number as it is written to a file; "" for none. Single precision has seven digits, what follows them is noise. */
export function csvNumber(values: Float32Array | Float64Array, at: number): string {
  const number = values[at];
  if (Number.isNaN(number)) return "";
  const single = values instanceof Float32Array && !Number.isInteger(number);
  return String(single ? Number(number.toPrecision(7)) : number);
}
