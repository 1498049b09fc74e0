/**
 * A small trainer in plain Java for the digits network: layers with hand-written gradients, Adam,
 * and the weights file. It exists so that everything in the example can be made again from nothing;
 * the virtual machine does not use it.
 *
 * <p>Training is deterministic: images, initial weights and the order of every sum depend on the
 * seed only, not on the number of threads. Start with {@link
 * org.relaxvm.examples.digits.train.Trainer}.
 */
@NullMarked
package org.relaxvm.examples.digits.train;

import org.jspecify.annotations.NullMarked;
