import type { Locale } from '@vrata/contract/locales'
import type { AppContext } from '../../lib/app-context.tsx'
import { toast } from '../../ui/feedback/toast.ts'

/** Offers the language that was chosen on a page as that of the account, which emails and apps use (api §1.5). */
export async function offerAccountLanguage(context: AppContext, chosen: Locale): Promise<void> {
  await context.i18n.load(['account-language'])
  const { t } = context.i18n.now()
  toast(t('account-language.offer'), {
    label: t('account-language.accept'),
    run: async () => {
      // The code of signed-in pages, which this may not be.
      const failed = await import('../../lib/change-language.ts').then(
        ({ changeLanguage }) => changeLanguage(context, chosen),
        () => true,
      )
      const { t } = context.i18n.now()
      toast(t(failed ? 'account-language.failed' : 'account-language.done'))
    },
  })
}
