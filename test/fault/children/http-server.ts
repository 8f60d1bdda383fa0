// Serves a memory until it is killed. The port and the key stay the same from life to life, as they do for a user.
import { openMemory } from '../../../src/memory/open-memory.ts'
import { serve } from '../../../src/server/serve.ts'
import { tell, waitForGo } from '../harness/parent.ts'

const [file = '', port = '0'] = process.argv.slice(2)
waitForGo()
const memory = await openMemory(file, { learn: false })
const { url, link } = await serve(memory, { port: Number(port), keyFile: `${file}.key` })
tell({ url, link })
