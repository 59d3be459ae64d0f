import { useRouter, useSearch } from '@tanstack/react-router'
import * as developers from '@vrata/contract/developers'
import { paths } from '@vrata/contract/page-addresses'
import { safeRedirect } from '@vrata/contract/redirect'
import { type ReactNode, useCallback } from 'react'
import { constraintsOf } from '../../lib/api/constraints.ts'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { mayCreateOrganization } from '../../lib/organizations/may-create-organization.ts'
import { switchDeveloper, useUser } from '../../lib/session.ts'
import { showDialog } from '../../ui/dialog/show-dialog.ts'

/**
 * Asks for a name, creates the developer account and continues to `redirect` or to its apps. Returns false when
 * canceled. Undefined where the policy does not let the user create one.
 */
export function useCreateDeveloper(): (() => Promise<boolean>) | undefined {
  const { t, rich } = useI18n()
  const context = useAppContext()
  const router = useRouter()
  const { redirect } = useSearch({ strict: false }) as { redirect?: string }
  const { formErrors } = useFormErrors()
  const user = useUser()
  const waits = context.policy?.organization_creation === 'approved' && user.operator_role !== 'admin'

  const create = useCallback(async () => {
    let created: string | undefined
    await showDialog({
      title: t('developers.create.title'),
      message: [t('developers.create.text'), waits && t('developers.create.approved')].filter(Boolean).join(' '),
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
      async onSubmit({ name = '', website }) {
        const answer = await context.api(developers.createDeveloper, { name, website: website || null })
        if (answer.ok) {
          created = answer.data.developer_id
        } else if (answer.problem.code === 'email_not_verified') {
          // Happens only when the address changed after the guard ran. A plain link leaves the page and its dialog.
          const verify = (words: ReactNode) => (
            <a href={paths.verify(paths.createDeveloper)} className="font-semibold text-brand underline">
              {words}
            </a>
          )
          return { message: rich('developers.create.unverified', { verify }) }
        } else {
          return formErrors(answer)
        }
      },
    })
    if (!created) return false
    // The server has switched the session to it; this updates the page.
    await switchDeveloper(context, created)
    await router.navigate({ href: safeRedirect(redirect) ?? paths.applications(created) })
    return true
  }, [t, rich, context, router, redirect, formErrors, waits])
  return mayCreateOrganization(context, user) ? create : undefined
}
