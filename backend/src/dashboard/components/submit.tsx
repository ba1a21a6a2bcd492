interface SubmitProps {
  readonly label: string;
  /**
   * Set for a button that is not the main action of its card. `long`: its text can take several lines. `saved-by-bar`: hidden
   * by the script, which has the unsaved-changes bar.
   */
  readonly kind?: 'subtle' | 'danger' | 'danger long' | 'saved-by-bar';
  /** A question to answer before the form is submitted. */
  readonly confirm?: string;
  readonly cancel?: string;
}

export function Submit({ label, kind, confirm, cancel }: SubmitProps) {
  return (
    <div class="actions">
      <button class={kind === undefined ? 'button' : `button ${kind}`} data-confirm={confirm}>
        {label}
      </button>
      {cancel !== undefined && (
        <a class="button subtle" href={cancel}>
          Cancel
        </a>
      )}
    </div>
  );
}
