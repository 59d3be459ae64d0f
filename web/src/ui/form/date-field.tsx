import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { AlertIcon, ChevronDownIcon } from '../icons/icons.tsx'
import { CONTROL, useField } from './field.tsx'

const PARTS = ['day', 'month', 'year'] as const
type Part = (typeof PARTS)[number]
const MONTHS = Array.from({ length: 12 }, (_, month) => String(month + 1).padStart(2, '0'))

export type DateFieldProps = {
  name: string
  label: string
  /** `1991-03-24`, or empty. */
  value?: string
  /** First and last valid day, in the format of `value`. */
  min: string
  max: string
  /** Message for a day that does not exist or is out of range. */
  invalid: string
  /** Locale of the order and the month names; native controls use the browser's language. */
  locale: string
}

/**
 * A known date such as a birthday: three controls in the order of the language, submitted as one value; empty when all
 * are empty.
 */
export function DateField({ name, label, value = '', min, max, invalid, locale }: DateFieldProps) {
  const { control, frame } = useField(name, { label })
  const [year = '', month = '', day = ''] = value.split('-')
  const [parts, setParts] = useState({ day: day && String(Number(day)), month, year })
  const isoDate = composed(parts)
  const valid = isoDate === '' || (exists(isoDate) && isoDate >= min && isoDate <= max)
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.setCustomValidity(valid ? '' : invalid), [valid, invalid])

  const names = new Intl.DisplayNames(locale, { type: 'dateTimeField' })
  const order = new Intl.DateTimeFormat(locale)
    .formatToParts()
    .flatMap(({ type }) => PARTS.filter((one) => one === type))
  const controlProps = (part: Part) => ({
    id: `${control.id}-${part}`,
    'aria-invalid': control['aria-invalid'],
    'aria-describedby': control['aria-describedby'],
    name,
    value: parts[part],
    autoComplete: `bday-${part}`,
    onChange: ({ target }: { target: { value: string } }) => setParts({ ...parts, [part]: target.value.trim() }),
  })

  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{label}</legend>
      <div className="flex flex-wrap gap-3">
        {order.map((part) => (
          <div key={part} className={part === 'month' ? 'min-w-0 grow basis-20' : part === 'day' ? 'w-18' : 'w-24'}>
            <label htmlFor={`${control.id}-${part}`} className="mb-1.5 block font-semibold first-letter:uppercase">
              {names.of(part)}
            </label>
            {part === 'month' ? (
              <Months {...controlProps(part)} locale={locale} />
            ) : (
              <input
                {...controlProps(part)}
                ref={part === 'day' ? first : null}
                inputMode="numeric"
                maxLength={part === 'day' ? 2 : 4}
                className={`${CONTROL} h-12`}
              />
            )}
          </div>
        ))}
      </div>
      {/* Of controls with the same name, form values keep the last. */}
      <input type="hidden" name={name} value={isoDate} />
      {frame.wrong && (
        <p id={`${frame.id}-error`} className="mt-1.5 flex gap-1.5 font-medium text-danger">
          <AlertIcon size={18} className="mt-0.5" />
          <span className="min-w-0">{frame.wrong}</span>
        </p>
      )}
    </fieldset>
  )
}

function Months({ locale, ...rest }: ComponentProps<'select'> & { locale: string }) {
  const words = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' })
  return (
    <span className="relative block">
      <select {...rest} className={`${CONTROL} h-12 appearance-none pr-11 read-only:bg-surface`}>
        <option value="" />
        {MONTHS.map((month) => (
          <option key={month} value={month}>
            {words.format(new Date(`2000-${month}-01`))}
          </option>
        ))}
      </select>
      <ChevronDownIcon className="pointer-events-none absolute inset-y-0 right-3.5 my-auto text-muted" />
    </span>
  )
}

function composed({ day, month, year }: Record<Part, string>): string {
  return day || month || year ? `${year}-${month}-${day.padStart(2, '0')}` : ''
}

/** Whether a text is a calendar day. */
function exists(day: string): boolean {
  const date = new Date(`${day}T00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}
