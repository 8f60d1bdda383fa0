import type { Route } from '../route.ts'
import { archiveRoutes } from './archive.ts'
import { contextRoutes } from './contexts.ts'
import { describedRoutes } from './described.ts'
import { importRoutes } from './imports.ts'
import { memoryRoutes } from './memory.ts'
import { messageRoutes } from './messages.ts'
import { sessionRoutes } from './sessions.ts'
import { stateRoutes } from './state.ts'

export const routes: readonly Route[] = [
  ...messageRoutes,
  ...sessionRoutes,
  ...stateRoutes,
  ...contextRoutes,
  ...describedRoutes,
  ...importRoutes,
  ...archiveRoutes,
  ...memoryRoutes,
]
