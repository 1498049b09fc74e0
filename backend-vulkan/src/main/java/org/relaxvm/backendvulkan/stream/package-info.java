/** What a stream of Vulkan is made of: commands that are collected, recorded and submitted. */
@NullMarked
package org.relaxvm.backendvulkan.stream;

import org.jspecify.annotations.NullMarked;
