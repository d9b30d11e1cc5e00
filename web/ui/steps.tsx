// Steps: the position in a wizard. Steps already passed can be opened again.
import { Icon } from './icons.tsx'
import styles from './steps.module.css'

export const Steps = ({ titles, at, onPick }: { titles: string[]; at: number; onPick: (step: number) => void }) => (
  <ol className={styles.steps} aria-label="Steps">
    {titles.map((title, index) => (
      <li key={title} data-state={index < at ? 'done' : index === at ? 'now' : 'next'}>
        <button
          type="button"
          disabled={index > at}
          aria-current={index === at ? 'step' : undefined}
          onClick={() => onPick(index)}
        >
          <span className={styles.number}>{index < at ? <Icon name="check" size={13} /> : index + 1}</span>
          <span className={styles.title}>{title}</span>
        </button>
      </li>
    ))}
  </ol>
)
