import type { Served } from '../../edge/serve.ts'

export const routes: Served[] = []
