// All checks, or those named: `npm run check`, `npm run check:types`.
import { checks, runChecks } from './checks.ts'

const names = process.argv.slice(2)
const unknown = names.filter((name) => !checks.some((check) => check.name === name))
if (unknown.length > 0) {
  console.error(`Cannot check ${unknown.join(', ')}: expected ${checks.map((check) => check.name).join(', ')}`)
  process.exit(1)
}
const wanted = checks.filter((check) => names.length === 0 || names.includes(check.name))
process.exitCode = (await runChecks(wanted)) === 0 ? 0 : 1
