import { brokenRule } from './broken-rule.ts'
import { duplicateMessage } from './duplicate-message.ts'
import { echoLoop, recalledText } from './echo.ts'
import { lostSignature } from './lost-signature.ts'
import { checkMcpMemory } from './mcp-memory.ts'
import { checkMem0 } from './mem0.ts'
import { oversize } from './oversize.ts'
import type { DoctorRule } from './problem.ts'
import { secret } from './secret.ts'

/** All that is looked for, in the order of the report. */
export const doctorChecks: readonly DoctorRule[] = [
  secret,
  brokenRule,
  duplicateMessage,
  echoLoop,
  recalledText,
  lostSignature,
  oversize,
  checkMcpMemory,
  checkMem0,
]
