import { useRouter } from '@tanstack/react-router'
import { account } from '@vrata/contract'
import type { UserInfo } from '@vrata/contract/account'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { setUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { accountName } from '../../ui/account-card.tsx'
import { ask } from '../../ui/ask.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { classes } from '../../ui/classes.ts'
import { CameraIcon } from '../../ui/inner-icons.tsx'
import { Picture } from '../../ui/picture.tsx'
import { toast } from '../../ui/toast.ts'
import { useDrop } from '../../ui/use-drop.ts'
import { PictureSheet } from './picture-sheet.tsx'
import { PICTURE, useCloseInfo } from './use-info-dialog.ts'

/** The picture of the person, with the ways to change it; a file may be let go anywhere on the card. */
export function PictureCard({ user, info }: { user: UserInfo; info: string | undefined }) {
  const { t } = useI18n()
  const wires = useWires()
  const router = useRouter()
  const { refusal } = useRefusal()
  const close = useCloseInfo(info)
  const [dropped, setDropped] = useState<File>()
  const { over, ...drop } = useDrop((file) => {
    setDropped(file)
    void router.navigate({ href: paths.info(PICTURE) })
  })

  function askToRemove() {
    return ask({
      title: t('account.picture.remove_title'),
      message: t('account.picture.remove_text'),
      danger: true,
      buttons: [{ label: t('ui.cancel') }, { label: t('account.picture.remove') }],
      async send() {
        const answer = await wires.api(account.removeProfilePicture)
        if (!answer.ok) return refusal(answer)
        setUser(wires, answer.data)
        toast(t('account.picture.removed'))
      },
    })
  }

  return (
    <Card {...drop} className={classes('transition-colors duration-150', over && 'border-brand! bg-brand-soft!')}>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-4 p-5 sm:p-6">
        <Picture kind="user" url={user.profile_picture} name={accountName(user)} size={96} />
        <div className="min-w-0 grow basis-48">
          <h2 className="truncate text-title">{accountName(user)}</h2>
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
