/** The button that submits a form, with a link back if `cancel` is its address. */
export function Submit({ label, cancel }: { readonly label: string; readonly cancel?: string }) {
  return (
    <div class="actions">
      <button class="button">{label}</button>
      {cancel !== undefined && (
        <a class="button subtle" href={cancel}>
          Cancel
        </a>
      )}
    </div>
  );
}
