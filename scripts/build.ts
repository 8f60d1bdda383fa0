// What `npm run build` does: the programs and their types, then the inspector, which the first one's clean-up would delete.
import { buildInspector } from './build-inspector.ts'
import { runTool } from './run.ts'

const { code, output } = await runTool('tsdown', [])
console.log(output.trimEnd())
if (code === 0) await buildInspector({ force: true })
else process.exitCode = code ?? 1
