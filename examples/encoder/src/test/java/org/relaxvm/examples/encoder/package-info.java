/** Tests of the encoder. */
@NullMarked
package org.relaxvm.examples.encoder;

import org.jspecify.annotations.NullMarked;
