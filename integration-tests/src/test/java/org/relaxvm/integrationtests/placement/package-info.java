/**
 * Programs whose tensors lie on several devices: what they give, what they copy, and what users
 * read when a device or a kernel is missing.
 */
@NullMarked
package org.relaxvm.integrationtests.placement;

import org.jspecify.annotations.NullMarked;
