import { policy } from '@vrata/contract'
import { hiddenParts } from '@vrata/contract/sign-in-policy'
import type { AppContext } from './app-context.tsx'

/** Loads the changed policy. The style sheet hides what is off on the sign-in page. */
export async function reloadPolicy(context: AppContext): Promise<void> {
  const answer = await context.api(policy.getPublicPolicy)
  if (!answer.ok) return
  context.policy = answer.data
  const redirect = new URLSearchParams(location.search).get('redirect') ?? undefined
  document.documentElement.dataset.off = hiddenParts(answer.data, redirect)
}
