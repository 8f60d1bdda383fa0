/** How a value is compared. Other operators are not known. */
const operators: Readonly<Record<string, (value: unknown, wanted: unknown) => boolean>> = {
  $eq: (value, wanted) => value === wanted,
  $ne: (value, wanted) => value !== wanted,
  $gt: (value, wanted) => Number(value) > Number(wanted),
  $gte: (value, wanted) => Number(value) >= Number(wanted),
  $lt: (value, wanted) => Number(value) < Number(wanted),
  $lte: (value, wanted) => Number(value) <= Number(wanted),
  $in: (value, wanted) => Array.isArray(wanted) && wanted.includes(value),
  $nin: (value, wanted) => !Array.isArray(wanted) || !wanted.includes(value),
}

/** Whether the fields of an item are what a filter of LangGraph wants: equal, or compared by operators. */
export function fitsFilter(
  item: Readonly<Record<string, unknown>>,
  filter: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(filter).every(([name, wanted]) => fits(item[name], wanted))
}

function fits(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted
  const conditions = Object.entries(wanted)
  if (!conditions.every(([name]) => Object.hasOwn(operators, name))) return value === wanted
  return conditions.every(([name, operand]) => operators[name]?.(value, operand) ?? false)
}
