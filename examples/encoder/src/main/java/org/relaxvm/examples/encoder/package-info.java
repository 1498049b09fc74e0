/**
 * A transformer encoder from nothing to a program: {@link
 * org.relaxvm.examples.encoder.EncoderModel} is the model, {@link
 * org.relaxvm.examples.encoder.BuildProgram} compiles it.
 */
@NullMarked
package org.relaxvm.examples.encoder;

import org.jspecify.annotations.NullMarked;
