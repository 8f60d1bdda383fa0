import type { Route } from '../route.ts'
import { archiveRoutes } from './archive.ts'
import { contextRoutes } from './contexts.ts'
import { describedRoutes } from './described.ts'
import { graphRoutes } from './graph.ts'
import { importRoutes } from './imports.ts'
import { memoryRoutes } from './memory.ts'
import { messageRoutes } from './messages.ts'
import { proposalRoutes } from './proposals.ts'
import { sessionRoutes } from './sessions.ts'
import { stateRoutes } from './state.ts'

export const routes: readonly Route[] = [
  ...messageRoutes,
  ...sessionRoutes,
  ...stateRoutes,
  ...contextRoutes,
  ...describedRoutes,
  ...importRoutes,
  ...graphRoutes,
  ...proposalRoutes,
  ...archiveRoutes,
  ...memoryRoutes,
]
