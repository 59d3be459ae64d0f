import { useI18n } from '../../lib/i18n.tsx'

/** Beside the sign-in card on wide screens: the door of the sign, ajar, with the lamp left on. */
export function DoorPanel() {
  const { t } = useI18n()
  return (
    <div className="doorway flex flex-col items-center overflow-hidden px-10 pt-12 text-paper">
      <p className="max-w-70 text-center text-title text-balance">{t('auth.signin.door')}</p>
      <div aria-hidden="true" className="mt-10 flex w-full max-w-66 grow flex-col">
        <div className="relative min-h-72 grow overflow-hidden rounded-arch border-10 border-b-0 border-frame">
          <div className="lamplight absolute inset-0" />
          <div className="absolute inset-0 origin-left transform-[perspective(70rem)_rotateY(-58deg)] rounded-arch bg-[linear-gradient(90deg,#00605f,#00807c)]">
            <span className="absolute top-1/2 right-[7%] size-4 rounded-full bg-lamp" />
            <span className="absolute inset-x-[14%] top-[14%] bottom-[8%] rounded-arch border-3 border-frame/35" />
          </div>
        </div>
      </div>
    </div>
  )
}
