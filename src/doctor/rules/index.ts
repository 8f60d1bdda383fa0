import { brokenRule } from './broken-rule.ts'
import { duplicateMessage } from './duplicate-message.ts'
import { echoLoop, recalledText } from './echo.ts'
import { lostSignature } from './lost-signature.ts'
import { mcpMemory } from './mcp-memory.ts'
import { mem0 } from './mem0.ts'
import { oversize } from './oversize.ts'
import type { DoctorRule } from './problem.ts'
import { secret } from './secret.ts'

/** All that is looked for, in the order of the report. */
export const rules: readonly DoctorRule[] = [
  secret,
  brokenRule,
  duplicateMessage,
  echoLoop,
  recalledText,
  lostSignature,
  oversize,
  mcpMemory,
  mem0,
]
