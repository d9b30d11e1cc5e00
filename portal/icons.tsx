// Icons: those of the page, in the colour of the text around them.

const drawings = {
  wifi: 'M2 9a15 15 0 0 1 20 0M5.2 12.6a10 10 0 0 1 13.6 0M8.4 16.1a5.2 5.2 0 0 1 7.2 0M12 19.6v.01',
  done: 'M5 12.5l4.6 4.6L19.2 7.5',
  attention: 'M12 8v5M12 16.5v.01M12 3 2.5 20h19z',
  globe: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c5 5.5 5 12.5 0 18M12 3c-5 5.5-5 12.5 0 18',
}

export function Icon({ of }: { of: keyof typeof drawings }) {
  return (
    <svg className={`sign sign-${of}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={drawings[of]} />
    </svg>
  )
}
