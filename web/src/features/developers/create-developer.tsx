import { useRouter, useSearch } from '@tanstack/react-router'
import * as developers from '@vrata/contract/developers'
import { safeRedirect } from '@vrata/contract/redirect'
import { type ReactNode, useCallback } from 'react'
import { constraintsOf } from '../../lib/constraints.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { switchDeveloper } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { ask } from '../../ui/ask.ts'

/**
 * Asks for a name, makes the developer account, and goes where the person was headed, or to its applications. False when
 * the person thought better.
 */
export function useCreateDeveloper(): () => Promise<boolean> {
  const { t, rich } = useI18n()
  const wires = useWires()
  const router = useRouter()
  const { redirect } = useSearch({ strict: false }) as { redirect?: string }
  const { refusal } = useRefusal()

  return useCallback(async () => {
    let made: string | undefined
    await ask({
      title: t('developers.create.title'),
      message: t('developers.create.text'),
      fields: [
        {
          kind: 'text',
          name: 'name',
          label: t('developers.create.name'),
          hint: t('developers.create.name_hint'),
          required: true,
          maxLength: constraintsOf(developers.createDeveloper, 'name').maxLength,
          autoComplete: 'organization',
        },
        {
          kind: 'text',
          name: 'website',
          type: 'url',
          label: t('developers.create.website'),
          placeholder: 'https://',
          autoComplete: 'url',
        },
      ],
      buttons: [{ label: t('ui.cancel') }, { label: t('developers.create.submit') }],
      async send({ name = '', website }) {
        const answer = await wires.api(developers.createDeveloper, { name, website: website || null })
        if (answer.ok) {
          made = answer.data.developer_id
        } else if (answer.problem.code === 'email_not_verified') {
          // Only where the address changed since the guard looked; a plain link leaves this page and its dialog.
          const verify = (words: ReactNode) => (
            <a href={paths.verify(paths.createDeveloper)} className="font-semibold text-brand underline">
              {words}
            </a>
          )
          return { message: rich('developers.create.unverified', { verify }) }
        } else {
          return refusal(answer)
        }
      },
    })
    if (!made) return false
    // The server has made it current; this tells the page so, and forgets what belongs to the account before.
    await switchDeveloper(wires, made)
    await router.navigate({ href: safeRedirect(redirect) ?? paths.applications(made) })
    return true
  }, [t, rich, wires, router, redirect, refusal])
}
