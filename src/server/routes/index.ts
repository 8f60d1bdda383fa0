import type { Route } from '../route.ts'
import { archiveRoutes } from './archive.ts'
import { describedRoutes } from './described.ts'
import { importRoutes } from './imports.ts'
import { memoryRoutes } from './memory.ts'
import { stateRoutes } from './state.ts'

export const routes: readonly Route[] = [
  ...stateRoutes,
  ...describedRoutes,
  ...importRoutes,
  ...archiveRoutes,
  ...memoryRoutes,
]
