import { useRouter } from '@tanstack/react-router'
import { account } from '@vrata/contract'
import type { UserInfo } from '@vrata/contract/account'
import { paths } from '@vrata/contract/page-addresses'
import { useState } from 'react'
import { useFormErrors } from '../../../lib/api/form-errors.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { setUser } from '../../../lib/session.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { showDialog } from '../../../ui/dialog/show-dialog.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { useFileDrop } from '../../../ui/form/use-file-drop.ts'
import { CameraIcon } from '../../../ui/icons/signed-in-icons.tsx'
import { accountName } from '../../../ui/identity/account-card.tsx'
import { Picture } from '../../../ui/identity/picture.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { PICTURE, useCloseInfo } from '../use-info-dialog.ts'
import { PictureSheet } from './picture-sheet.tsx'

/** Profile picture with its actions. Files can be dropped anywhere on the card. */
export function PictureCard({ user, info }: { user: UserInfo; info: string | undefined }) {
  const { t } = useI18n()
  const context = useAppContext()
  const router = useRouter()
  const { formErrors } = useFormErrors()
  const close = useCloseInfo(info)
  const [dropped, setDropped] = useState<File>()
  const { over, ...drop } = useFileDrop((file) => {
    setDropped(file)
    void router.navigate({ href: paths.info(PICTURE) })
  })

  function askToRemove() {
    return showDialog({
      title: t('account.picture.remove_title'),
      message: t('account.picture.remove_text'),
      danger: true,
      buttons: [{ label: t('ui.cancel') }, { label: t('account.picture.remove') }],
      async onSubmit() {
        const answer = await context.api(account.removeProfilePicture)
        if (!answer.ok) return formErrors(answer)
        setUser(context, answer.data)
        toast(t('account.picture.removed'))
      },
    })
  }

  return (
    <Card {...drop} className={classes('transition-colors duration-150', over && 'border-brand! bg-brand-soft!')}>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-4 p-5 sm:p-6">
        <Picture kind="user" url={user.profile_picture} name={accountName(user)} size={96} />
        <div className="min-w-0 grow basis-48">
          <h2 dir="auto" className="text-left text-title wrap-anywhere">
            {accountName(user)}
          </h2>
          <p className="text-muted">{t('account.picture.seen')}</p>
          <div className="mt-3 flex flex-wrap gap-3">
            <ButtonLink size="small" href={paths.info(PICTURE)}>
              <CameraIcon />
              {t(user.profile_picture ? 'account.picture.change' : 'account.picture.add')}
            </ButtonLink>
            {user.profile_picture && (
              <Button size="small" onClick={() => void askToRemove()}>
                {t('account.picture.remove')}
              </Button>
            )}
          </div>
        </div>
      </div>
      <PictureSheet
        open={info === PICTURE}
        dropped={dropped}
        onClose={() => {
          setDropped(undefined)
          close()
        }}
      />
    </Card>
  )
}
