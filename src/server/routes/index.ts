import type { Route } from '../route.ts'
import { describedRoutes } from './described.ts'

export const routes: readonly Route[] = [...describedRoutes]
