package org.relaxvm.builtins;

import org.relaxvm.api.Closure;
import org.relaxvm.api.Managed;

/**
 * What a function returns for its caller to make a call instead, so that its own frame ends first.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 9.
 */
final class TailRequest extends Managed {
  private final Closure call;

  /** Takes the caller's owner of a closure with all arguments bound. */
  TailRequest(Closure call) {
    this.call = call;
  }

  /** The call, borrowed. */
  Closure call() {
    return call;
  }

  @Override
  public TailRequest newHandle() {
    return new TailRequest(call.newHandle());
  }

  @Override
  protected void dispose() {
    call.release();
  }

  @Override
  protected String describeKind() {
    return "tail request";
  }

  @Override
  public String toString() {
    return "request for a call of " + call.functionName();
  }
}
