import { policy } from '@vrata/contract'
import { type RouteHandler, serve } from '../../http/serve.ts'
import { countAffected } from './affected.ts'
import { getPolicy, getPublicPolicy, updatePolicy } from './update-policy.ts'

/** Policy of the installation: registration and sign-in (operators §8). */
export const routes: RouteHandler[] = [
  serve(policy.getPolicy, getPolicy),
  serve(policy.updatePolicy, updatePolicy),
  serve(policy.countAffected, countAffected),
  serve(policy.getPublicPolicy, getPublicPolicy),
]
