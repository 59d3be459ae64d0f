import { useId } from 'react'
import { DevicesIcon, MoonIcon, SunIcon } from '../icons/signed-in-icons.tsx'

/** `device` follows the operating system. */
export type ThemeChoice = 'device' | 'light' | 'dark'

const CHOICES = [
  { value: 'device', Icon: DevicesIcon },
  { value: 'light', Icon: SunIcon },
  { value: 'dark', Icon: MoonIcon },
] as const

export type ThemeSwitchProps = {
  label: string
  names: Record<ThemeChoice, string>
  value: ThemeChoice
  onChange: (value: ThemeChoice) => void
}

/** Device, light or dark, as radio buttons. */
export function ThemeSwitch({ label, names, value, onChange }: ThemeSwitchProps) {
  const name = useId()
  return (
    <fieldset className="flex w-fit rounded-control bg-sunken p-0.5">
      <legend className="sr-only">{label}</legend>
      {CHOICES.map(({ value: choice, Icon }) => (
        <label
          key={choice}
          title={names[choice]}
          className="flex size-11 cursor-pointer items-center justify-center rounded-[10px] border border-transparent text-muted forced-colors:border-[color:Canvas] outline-offset-2 outline-focus transition-colors duration-150 hover:text-ink has-checked:bg-brand-soft has-checked:text-brand-strong forced-colors:has-checked:bg-[color:Highlight] forced-colors:has-checked:text-[color:HighlightText] forced-colors:has-checked:forced-color-adjust-none has-focus-visible:outline-3"
        >
          <input
            type="radio"
            name={name}
            value={choice}
            checked={value === choice}
            onChange={() => onChange(choice)}
            className="absolute size-px appearance-none opacity-0"
          />
          <Icon />
          <span className="sr-only">{names[choice]}</span>
        </label>
      ))}
    </fieldset>
  )
}
