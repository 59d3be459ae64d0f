import { useEffect } from 'react'
import { useAppContext } from '../../lib/app-context.tsx'

/**
 * Connects the reauthentication dialog to the context. The API client asks it and retries the call, so pages need no
 * handling. Concurrent calls share one dialog. A call of a page that has been left meanwhile gets none, as if it had been canceled.
 */
export function useReauthentication() {
  const context = useAppContext()
  useEffect(() => {
    let asking: Promise<boolean> | undefined
    context.reauthentication.ask = async (page) => {
      if (location.pathname !== page) return false
      asking ??= import('./reauthenticate.ts')
        .then(({ reauthenticate }) => reauthenticate(context, page))
        .finally(() => {
          asking = undefined
        })
      return asking
    }
    return () => {
      context.reauthentication.ask = undefined
    }
  }, [context])
}
