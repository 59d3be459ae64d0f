import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useMemo, useSyncExternalStore } from 'react'
import { useAppContext } from '../lib/app-context.tsx'
import { useI18n } from '../lib/i18n.tsx'
import { connectionStatus } from '../lib/realtime/connection-status.ts'
import { DialogHost } from '../ui/dialog/dialog-host.tsx'
import { closeDialogs } from '../ui/dialog/show-dialog.ts'
import { OfflineBar } from '../ui/feedback/offline-bar.tsx'
import { toast } from '../ui/feedback/toast.ts'
import { ToastHost } from '../ui/feedback/toast-host.tsx'
import { MediaOrigin } from '../ui/identity/picture.tsx'
import { LinkElement } from '../ui/navigation/link.tsx'
import { SkipLink } from '../ui/navigation/skip-link.tsx'
import { type Words, WordsProvider } from '../ui/words.tsx'
import { useReauthentication } from './reauthentication/use-reauthentication.ts'
import { RouterLink } from './router-link.tsx'

/** Id of the main element, target of the skip link. */
export const CONTENT = 'content'

type Props = {
  signedIn?: boolean
  /** Above the offline bar. */
  header: ReactNode
  children: ReactNode
}

/** Common parts of all shells: texts, links, dialogs, toasts, offline bar. */
export function Frame({ signedIn = false, header, children }: Props) {
  const { t } = useI18n()
  const { apiBase, notices } = useAppContext()
  const router = useRouter()
  const words = useComponentWords()
  const lost = useSyncExternalStore(connectionStatus.subscribe, connectionStatus.isLost, () => false)
  useReauthentication()

  // Messages that arrived before the toasts existed.
  useEffect(() => {
    notices.show = (sentence) => toast(sentence)
    for (const sentence of notices.queued.splice(0)) toast(sentence)
    return () => {
      notices.show = undefined
    }
  }, [notices])

  // Navigation closes dialogs.
  useEffect(() => router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && closeDialogs()), [router])

  return (
    <LinkElement value={RouterLink}>
      <MediaOrigin value={apiBase}>
        <WordsProvider words={words}>
          <SkipLink to={CONTENT}>{t('ui.skip_link')}</SkipLink>
          {header}
          <OfflineBar offline={t('ui.offline')} lost={lost && t('realtime.lost')} />
          {children}
          <DialogHost soon={signedIn} />
          <ToastHost />
        </WordsProvider>
      </MediaOrigin>
    </LinkElement>
  )
}

function useComponentWords(): Words {
  const { t, format, locale } = useI18n()
  return useMemo(
    () => ({
      show_password: t('ui.show_password'),
      hide_password: t('ui.hide_password'),
      copy: t('ui.copy'),
      copied: t('ui.copied'),
      close: t('ui.close'),
      search: t('ui.search'),
      nothing_found: t('ui.nothing_found'),
      try_again: t('ui.try_again'),
      support_code: t('ui.support_code'),
      password_secure: t('ui.password_secure'),
      password_not_secure: t('ui.password_not_secure'),
      least_characters: (count) => t('ui.least_characters', { count }),
      more_characters: (count) => t('ui.more_characters', { count }),
      invalid: {
        required: t('problems.field.required'),
        // Slovenian and Croatian quote the label.
        required_own: (field) =>
          t('ui.invalid.required_own', { field: locale === 'en-US' ? format.inText(field) : field }),
        email: t('problems.field.invalid_email'),
        url: t('problems.field.invalid_url'),
        pattern: t('problems.field.invalid'),
        too_short: (min) => t('ui.invalid.too_short', { min }),
        other: t('problems.field.wrong'),
      },
    }),
    [t, format, locale],
  )
}
