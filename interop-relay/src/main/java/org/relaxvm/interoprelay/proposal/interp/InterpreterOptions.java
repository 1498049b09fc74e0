package org.relaxvm.interoprelay.proposal.interp;

import org.relaxvm.api.Tensor;
import org.relaxvm.interoprelay.proposal.verify.RelayVerifyOptions;

/**
 * How programs are interpreted. Immutable.
 *
 * @param maxFrames how deep functions of a program may call each other
 * @param flattenDatatypes whether packed functions get the fields of a datatype instead of the
 *     datatype, one level deep
 * @param tensors where new tensors come from
 * @param verify what the verifier permits
 */
public record InterpreterOptions(
    int maxFrames, boolean flattenDatatypes, TensorSource tensors, RelayVerifyOptions verify) {
  /** 100,000 frames, datatypes as they are, memory that the garbage collector releases. */
  public static final InterpreterOptions DEFAULT =
      new InterpreterOptions(100_000, false, Tensor::zeros, RelayVerifyOptions.DEFAULT);

  /** These options with another limit of frames. */
  public InterpreterOptions withMaxFrames(int frames) {
    return new InterpreterOptions(frames, flattenDatatypes, tensors, verify);
  }

  /** These options, with or without fields instead of datatypes for packed functions. */
  public InterpreterOptions withFlattenDatatypes(boolean flatten) {
    return new InterpreterOptions(maxFrames, flatten, tensors, verify);
  }

  /** These options with tensors from elsewhere. */
  public InterpreterOptions withTensors(TensorSource source) {
    return new InterpreterOptions(maxFrames, flattenDatatypes, source, verify);
  }

  /** These options with others of the verifier. */
  public InterpreterOptions withVerify(RelayVerifyOptions options) {
    return new InterpreterOptions(maxFrames, flattenDatatypes, tensors, options);
  }
}
