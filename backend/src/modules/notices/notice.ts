/** A notice for the owners of an application, such as that the fraud guard has paused messages. */
export interface Notice {
  readonly applicationId: number;
  /** Identifies the fact within the application. Each fact is stored once. */
  readonly key: string;
  readonly kind: 'pause' | 'alert' | 'refused' | 'spend';
  /** The notice as JSON. Its shape depends on the kind. */
  readonly body: string;
  /** Whether the owners get an email. */
  readonly mailed: boolean;
}

export type DueNotice = Pick<Notice, 'kind' | 'body'>;
