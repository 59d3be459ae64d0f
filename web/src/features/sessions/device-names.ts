import { LIMITS, sessions } from '@vrata/contract'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { showDialog } from '../../ui/dialog/show-dialog.ts'
import { toast } from '../../ui/feedback/toast.ts'
import type { Device } from './devices.ts'
import { sessionList } from './queries.ts'

type Named = Pick<Device, 'device_id' | 'device_name' | 'browser' | 'os'>

/** Browser and system of a device. */
export function useBrowserName() {
  const { t } = useI18n()
  return ({ browser, os }: Pick<Named, 'browser' | 'os'>): string =>
    browser && os ? t('security.devices.name', { browser, os }) : (browser ?? os ?? t('security.devices.unknown'))
}

/** Asks for the name of a device; an empty one removes it. The change can be undone. */
export function useRenameDevice() {
  const { t } = useI18n()
  const context = useAppContext()
  const { formErrors, errorMessage } = useFormErrors()
  const browserName = useBrowserName()

  async function save(id: string, name: string | null) {
    const answer = await context.api(sessions.renameDevice, { id, name })
    await context.queries.invalidateQueries({ queryKey: sessionList(context).queryKey })
    return answer
  }

  async function undo(id: string, name: string | null) {
    const answer = await save(id, name)
    if (!answer.ok) toast(errorMessage(answer))
  }

  return (device: Named) => {
    const { device_id: id, device_name: before } = device
    if (!id) return
    return showDialog({
      title: t('security.devices.rename_title'),
      message: t('security.devices.rename_text'),
      fields: [
        {
          kind: 'text',
          name: 'name',
          label: t('security.devices.rename_field'),
          value: before ?? '',
          placeholder: browserName(device),
          maxLength: LIMITS.device_name_max,
        },
      ],
      buttons: [{ label: t('ui.cancel') }, { label: t('ui.save') }],
      async onSubmit({ name = '' }) {
        const answer = await save(id, name.trim() || null)
        if (!answer.ok) return formErrors(answer)
        toast(t('security.devices.renamed'), { label: t('security.devices.undo'), run: () => void undo(id, before) })
      },
    })
  }
}
