import { useEffect } from 'react'
import { useAppContext } from '../../lib/app-context.tsx'

/**
 * Connects the reauthentication dialog to the context. The API client asks it and retries the call, so pages need no
 * handling. Concurrent calls share one dialog.
 */
export function useReauthentication() {
  const context = useAppContext()
  useEffect(() => {
    let asking: Promise<boolean> | undefined
    context.reauthentication.ask = () => {
      asking ??= import('./reauthenticate.ts')
        .then(({ reauthenticate }) => reauthenticate(context))
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
