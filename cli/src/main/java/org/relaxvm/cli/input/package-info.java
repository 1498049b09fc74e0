/**
 * Arguments of a program as the command line gives them: files, images, scalars, random tensors.
 */
@NullMarked
package org.relaxvm.cli.input;

import org.jspecify.annotations.NullMarked;
