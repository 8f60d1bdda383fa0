import type { Route } from '../route.ts'
import { describedRoutes } from './described.ts'
import { stateRoutes } from './state.ts'

export const routes: readonly Route[] = [...stateRoutes, ...describedRoutes]
