import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useMemo, useSyncExternalStore } from 'react'
import { connection } from '../lib/connection.ts'
import { useI18n } from '../lib/i18n.tsx'
import { useWires } from '../lib/wires.tsx'
import { dismissQuestions } from '../ui/ask.ts'
import { DialogHost } from '../ui/dialog-host.tsx'
import { LinkElement } from '../ui/link.tsx'
import { OfflineBar } from '../ui/offline-bar.tsx'
import { MediaOrigin } from '../ui/picture.tsx'
import { SkipLink } from '../ui/skip-link.tsx'
import { toast } from '../ui/toast.ts'
import { ToastHost } from '../ui/toast-host.tsx'
import { type Words, WordsProvider } from '../ui/words.tsx'
import { useProof } from './proof.ts'
import { RouterLink } from './router-link.tsx'

/** Id of the main element, where the skip link leads. */
export const CONTENT = 'content'

/** What all shells share: the words and links of the parts, the dialog, the toasts, the offline bar. */
export function Frame({ signedIn = false, children }: { signedIn?: boolean; children: ReactNode }) {
  const { t } = useI18n()
  const { apiBase, notices } = useWires()
  const router = useRouter()
  const words = useWordsOfParts()
  const lost = useSyncExternalStore(connection.subscribe, connection.lostForLong, () => false)
  useProof()

  // Sentences of the guard and the session that came before there was a place to say them.
  useEffect(() => {
    notices.show = (sentence) => toast(sentence)
    for (const sentence of notices.waiting.splice(0)) toast(sentence)
    return () => {
      notices.show = undefined
    }
  }, [notices])

  // A question belongs to the page that asked it.
  useEffect(
    () => router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && dismissQuestions()),
    [router],
  )

  return (
    <LinkElement value={RouterLink}>
      <MediaOrigin value={apiBase}>
        <WordsProvider words={words}>
          <SkipLink to={CONTENT}>{t('ui.skip_link')}</SkipLink>
          <OfflineBar offline={t('ui.offline')} lost={lost && t('live.lost')} />
          {children}
          <DialogHost soon={signedIn} />
          <ToastHost />
        </WordsProvider>
      </MediaOrigin>
    </LinkElement>
  )
}

function useWordsOfParts(): Words {
  const { t } = useI18n()
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
      more_characters: (count) => t('ui.more_characters', { count }),
      invalid: {
        required: t('ui.invalid.required'),
        email: t('ui.invalid.email'),
        url: t('ui.invalid.url'),
        pattern: t('ui.invalid.pattern'),
        too_short: (min) => t('ui.invalid.too_short', { min }),
        other: t('ui.invalid.other'),
      },
    }),
    [t],
  )
}
