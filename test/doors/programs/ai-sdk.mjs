// Runs in a project of its own, beside the real package.
import * as adapter from 'daybook/ai-sdk'
import { compareAiSdk } from './ai-sdk-sequences.mjs'
import { close, memory, runs } from './opened.mjs'

console.log(JSON.stringify(await compareAiSdk(adapter, memory.scope('hosts/ai-sdk'), runs)))
await close()
