// Test voucher: a dialog with an address, `?modal=test-voucher`. Made for a queue: scan or type, Enter, read the badge; the
// next scan overwrites the last. Testing never uses a voucher up.
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { code_length, normalised, shown, TypedCode } from '#contract/vouchers.ts'
import * as batches from '#contract/voucher-batches.ts'
import { messages } from '#contract/messages.ts'
import { idIn, type Search } from '#web/kit/navigation/search-params.ts'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { Button } from '#web/ui/button.tsx'
import { CodeField } from '#web/ui/code-field.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Icon } from '#web/ui/icons.tsx'
import { Verdict } from '#web/ui/verdict.tsx'
import { useCheck, type Check } from './check.ts'
import { Facts } from './facts.tsx'
import styles from './test-voucher.module.css'

export interface TestVoucherProps {
  batch_id?: number
  close: () => void
}

/** Longer than any code, for what a scanner may send around it. */
const typed_max = 40
const look = (typed: string) => shown(normalised(typed).slice(0, typed_max))
const wrongWith = (code: string) => TypedCode.safeParse(code).error?.issues[0]?.message

export function TestVoucher({ batch_id, close }: TestVoucherProps) {
  const batch = useAddressedBatch(batch_id)
  const [code, setCode] = useState('')
  const [touched, setTouched] = useState(false)
  const { check, ask, reset } = useCheck(batch)
  const input = useRef<HTMLInputElement>(null)
  const wrong = wrongWith(code)

  // The answer stands there: the next scan overwrites the code that it is about.
  const answered = check.state === 'valid' || check.state === 'invalid'
  useEffect(() => {
    if (!answered) return
    input.current?.focus()
    input.current?.select()
  }, [answered, check])

  const submit = () => {
    setTouched(true)
    if (wrong) return
    void ask(code)
    // A scanner does not wait for the answer.
    input.current?.select()
  }
  useScansFromAnywhere(input)
  return (
    <Dialog open onClose={close} title="Test a voucher" width={480}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <form
        className={styles.form}
        noValidate
        // The browser does not submit by Enter while the button is disabled; what is missing is said all the same.
        onKeyDown={(event) => event.key === 'Enter' && setTouched(true)}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {batch !== undefined && <OfBatch id={batch} />}
        <div className={styles.line}>
          <CodeField
            ref={input}
            label="Voucher code"
            name="code"
            placeholder="ABCD-EFGH-JKMN"
            value={code}
            look={look}
            onChange={(next) => {
              setCode(next)
              reset()
            }}
            onBlur={() => code !== '' && setTouched(true)}
            error={touched && check.state === 'unchecked' ? wrong : undefined}
          />
          <Button kind="primary" submit disabled={wrong !== undefined} busy={check.state === 'checking'}>
            Test
          </Button>
        </div>
      </form>
      <Answer check={check} />
    </Dialog>
  )
}

/** A scanner types wherever the focus happens to be: its first symbol takes the focus to the field, over what was there. */
function useScansFromAnywhere(input: RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const symbol = /^[\p{L}\p{N}]$/u.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey
      if (!symbol || event.target === input.current) return
      input.current?.focus()
      input.current?.select()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [input])
}

/** `&id=7` names a batch as the specification writes it, where the screen below has no `id` of its own. */
function useAddressedBatch(batch_id: number | undefined): number | undefined {
  return useRouterState({
    select: ({ location }) =>
      batch_id ?? (location.pathname.endsWith('/update') ? undefined : idIn((location.search as Search)['id'])),
  })
}

function OfBatch({ id }: { id: number }) {
  const batch = useRecord({ ...batches, update: batches.create }, id)
  return <p className={styles.of}>Codes of batch {batch?.batch_number ?? '…'} only.</p>
}

/** Read out as it comes. */
const Answer = ({ check }: { check: Check }) => {
  const answered = check.state === 'valid' || check.state === 'invalid'
  return (
    <div className={styles.answer} aria-live="polite" data-state={check.state}>
      {answered ? (
        <Verdict good={check.state === 'valid'} word={messages.voucherTest[check.state]}>
          {check.reason}
        </Verdict>
      ) : (
        <p className={styles.idle}>
          <Icon name="vouchers" />
          {check.state === 'checking'
            ? 'Looking…'
            : `Scan the slip, or type its ${code_length} symbols. Testing does not use the voucher up.`}
        </p>
      )}
      <Facts facts={answered ? check.facts : undefined} />
    </div>
  )
}
