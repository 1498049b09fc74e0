package org.relaxvm.interoprelay.proposal.verify;

/**
 * What the verifier permits.
 *
 * @param inPlace whether packed functions may write into parameters of a function
 */
public record RelayVerifyOptions(boolean inPlace) {
  /** Packed functions write into tensors that the function allocated. */
  public static final RelayVerifyOptions DEFAULT = new RelayVerifyOptions(false);
}
