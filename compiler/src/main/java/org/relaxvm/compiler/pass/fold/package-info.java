/** Scales and shifts of channels, moved into constant weights and biases. */
@NullMarked
package org.relaxvm.compiler.pass.fold;

import org.jspecify.annotations.NullMarked;
