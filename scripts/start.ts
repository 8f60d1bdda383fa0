// What `npm start` does: serve a memory from the sources. The inspector is built once, and again when its sources changed.
import { buildInspector } from './build-inspector.ts'

if (await buildInspector()) process.stderr.write('daybook: built the inspector (once)\n')
process.argv.splice(2, 0, 'serve', '--create')
await import('../src/cli/main.ts')
