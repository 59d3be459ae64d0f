import { useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { PublicCard } from '../../ui/layout/public-card.tsx'
import { type AuthorizationResponse, sendAuthorizationResponse } from './test-sign-in-channel.ts'

/** Redirect URI of test sign-ins: passes the response to the page that opened this window, which then closes. */
export function TestSignInPage() {
  const { t } = useI18n()
  const { code, state, iss, error, error_description } = useSearch({ strict: false }) as AuthorizationResponse
  useEffect(() => {
    if (state === undefined) return
    sendAuthorizationResponse({ code, state, iss, error, error_description })
    window.close()
  }, [code, state, iss, error, error_description])
  return (
    <PublicCard centered title={t('client-diagnostics.test.return')} text={t('client-diagnostics.test.return_text')} />
  )
}
