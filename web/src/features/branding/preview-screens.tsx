import type { Branding } from '@vrata/contract/branding'
import type { ReactNode } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { scopeIcon } from '../../ui/icons/scope-icon.ts'
import { Wordmark } from '../../ui/icons/wordmark.tsx'
import { AccountCard, accountName } from '../../ui/identity/account-card.tsx'
import { Picture } from '../../ui/identity/picture.tsx'
import { colorOf } from './preview-style.ts'

type Props = { draft: Branding }

/** The sign-in page on a phone. */
export function SignInScreen(_: Props) {
  const { t, locale, brand } = useI18n()
  return (
    <Page>
      <p className="text-head font-heading">{t('sign-in.signin.title')}</p>
      <p className="mt-1 text-muted">{t('sign-in.signin.text')}</p>
      {brand.sign_in_text?.[locale] && <p className="mt-4 whitespace-pre-line">{brand.sign_in_text[locale]}</p>}
      <div className="mt-4 flex flex-col gap-4">
        <TextField label={t('sign-in.email_or_username')} />
        <TextField label={t('sign-in.password')} />
        <Button look="primary" wide>
          {t('sign-in.signin.do')}
        </Button>
      </div>
      <p className="mt-4 font-semibold text-brand">{t('sign-in.signin.forgot')}</p>
    </Page>
  )
}

const SCOPES = ['openid', 'profile', 'email'] as const

/** The consent page on a phone, for an app that does not exist. */
export function ConsentScreen(_: Props) {
  const { t } = useI18n()
  const user = useUser()
  const app = t('branding.preview.app')
  return (
    <Page>
      <div className="flex items-center justify-center gap-3.5">
        <Picture kind="app" url={null} name={app} size={56} />
        <Picture kind="user" url={user.profile_picture} name={accountName(user)} size={56} />
      </div>
      <p className="mt-4 text-center text-title font-heading">{t('connections.title', { app })}</p>
      <p className="mt-1 mb-4 text-center text-small text-muted">
        {t('connections.made_by', { organization: t('branding.preview.organization') })}
      </p>
      <AccountCard account={user} />
      <p className="mt-5 mb-2 font-semibold">{t('connections.things', { app, count: SCOPES.length })}</p>
      <ul className="divide-y divide-line border-y border-line">
        {SCOPES.map((scope) => {
          const Sign = scopeIcon(scope)
          return (
            <li key={scope} className="flex items-center gap-2.5 py-2">
              <span className="flex size-6 shrink-0 items-center justify-center rounded-full bg-brand-soft text-brand-strong">
                <Sign size={14} />
              </span>
              {t(`connections.scope.${scope}.title`)}
            </li>
          )
        })}
      </ul>
      <div className="mt-4 grid grid-cols-2 gap-3">
        <Button>{t('ui.cancel')}</Button>
        <Button look="primary">{t('connections.allow')}</Button>
      </div>
    </Page>
  )
}

/** The mail that confirms an address, with its sender and subject as a mail program lists them. */
export function MailScreen({ draft }: Props) {
  const { t, locale } = useI18n()
  const { mail_from_name, mail_footer, default_language } = draft
  const user = useUser()
  const link = `${globalThis.location?.origin ?? ''}/confirm-email/…`
  const footer = mail_footer[locale]?.trim() || mail_footer[default_language]?.trim()
  return (
    <div className="p-4">
      <p className="mb-4 border-b border-line pb-3">
        <span className="block font-semibold">{mail_from_name?.trim() || t('ui.product')}</span>
        <span className="block text-small text-muted">{t('branding.mail.subject')}</span>
      </p>
      <p className="mb-3 flex items-center gap-1.5 px-2 text-title font-heading">
        <span className={`h-5 w-3.5 rounded-t-full ${colorOf(draft.accent) ? 'bg-brand' : 'bg-accent'}`} />
        {t('ui.product')}
      </p>
      <div className="rounded-panel border border-line bg-surface p-6">
        <p className="mb-4 text-head font-heading">{t('branding.mail.subject')}</p>
        <p className="mb-5 text-lead">
          {t('branding.mail.greeting', { name: user.first_name || 'none' })}
          <br />
          {t('branding.mail.text')}
        </p>
        <p className="mb-5">
          <span className="inline-block rounded-control bg-brand px-5 py-3 text-lead font-semibold text-on-brand">
            {t('branding.mail.action')}
          </span>
        </p>
        <p className="text-small text-muted">{t('branding.mail.link')}</p>
        <p className="mb-5 text-small wrap-anywhere text-brand underline">{link}</p>
        <p className="text-muted">{t('branding.mail.note')}</p>
      </div>
      <p className="px-2 pt-4 text-small whitespace-pre-line text-muted">
        {t('branding.mail.footer', { host: globalThis.location?.host ?? '' })}
        {footer && `\n${footer}`}
      </p>
    </div>
  )
}

/** Head, card and links of a public page. */
function Page({ children }: { children: ReactNode }) {
  const { t, brand } = useI18n()
  const links = (['support', 'imprint'] as const).filter((name) => brand[`${name}_url`])
  return (
    <div className="p-4">
      <div className="mb-4 px-2">
        <Wordmark name={brand.name} />
      </div>
      <div className="rounded-panel border border-line bg-surface p-6 shadow-popup">{children}</div>
      {links.length > 0 && (
        <p className="flex justify-center gap-6 pt-4 text-small text-muted underline">
          {links.map((name) => (
            <span key={name}>{t(`ui.${name}`)}</span>
          ))}
        </p>
      )}
    </div>
  )
}
