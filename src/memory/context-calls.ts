/** Everything a session can do with its window, to be loaded together. */
export { undoCompaction } from '../context/compaction/undo.ts'
export { buildContext } from './context.ts'
export { compactSession } from './compact.ts'
export { documentOf } from './document.ts'
export { reopenFold } from './reopen.ts'
export { reportUsage } from './usage.ts'
export { readWindow } from './window.ts'
